/** Documents that `npm run generate` would bundle from small files. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { bundledDocument } from '../../scripts/generate/bundled-document.ts';

export const root = `openapi: 3.1.0
info: { title: Test, version: 1.0.0 }
paths:
  /leads: { $ref: './leads.yaml#/paths/~1leads' }
components:
  responses:
    Failed: { description: The request failed. }
`;
export const leads = `paths:
  /leads:
    get:
      operationId: listLeads
      responses:
        '200': { description: All leads. }
`;
export const overlay = `overlay: 1.1.0
info: { title: Test, version: 1.0.0 }
actions:
  - target: $.paths.*[?(@.operationId)].responses
    update: { '500': { $ref: '#/components/responses/Failed' } }
`;

export async function bundled(files: { root?: string; leads?: string; events?: string; overlay?: string }) {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'v1.yaml'), files.root ?? root);
  await writeFile(join(folder, 'leads.yaml'), files.leads ?? leads);
  await writeFile(join(folder, 'overlay.yaml'), files.overlay ?? overlay);
  if (files.events !== undefined) await writeFile(join(folder, 'events.yaml'), files.events);
  return bundledDocument(folder);
}
