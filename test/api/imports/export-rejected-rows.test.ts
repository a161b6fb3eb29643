/** The file of rejected rows, which is corrected and sent again. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forgetErased } from '../../../src/imports/erasure/forget-erased.ts';
import { deleteOldChunks } from '../../../src/imports/housekeeping-queries.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { parseCsv } from '../../support/exports.ts';
import { createLead } from '../../support/factories.ts';
import { csv, importFile, ndjson, send } from '../../support/imports.ts';
import { runJobs, runOnce } from '../../support/jobs.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

async function rejected(id: string, accept = 'text/csv'): Promise<string> {
  const { text } = await client
    .get(`/imports/${id}/rejected-rows`)
    .set('Accept', accept)
    .buffer(true)
    .expect(200);
  return text;
}

describe('GET /imports/{id}/rejected-rows', () => {
  it('returns the failed rows with their cells and what is wrong', async () => {
    const file = csv(
      'Name,E-Mail,Note',
      'Ada,ada@example.com,a',
      'Bob,nobody,"b, ""c"""',
      ' ,eve@example.com,=1+1',
    );
    const { id } = await importFile(app, client, file, 'start=true');
    const lines = parseCsv(await rejected(id));
    expect(lines[0]).toEqual(['Name', 'E-Mail', 'Note', 'error']);
    expect(lines[1]).toEqual(['Bob', 'nobody', 'b, "c"', 'E-Mail must be an email address.']);
    expect(lines[2]?.slice(0, 3)).toEqual([' ', 'eve@example.com', "'=1+1"]);
    expect(lines[2]?.[3]).toBe('Name is required.');
    expect(lines).toHaveLength(3);
  });

  it('can be corrected and sent again, as often as it takes', async () => {
    const wrong = Array.from({ length: 300 }, (_, index) => `=Ada,wrong ${index}`);
    const first = await importFile(
      app,
      client,
      csv('name,email', ...wrong, 'Bob,bob.again@example.com'),
      'start=true',
    );
    const again = await importFile(app, client, await rejected(first.id), 'start=true');
    expect(again).toMatchObject({
      columns: ['name', 'email', 'error'],
      doubts: [{ code: 'failing_rows' }],
      counts: { failed: 300 },
    });
    const text = await rejected(again.id);
    expect(text.split('\r\n')[0]).toBe('name,email,error');
    const corrected = text.replaceAll(/wrong (\d+)/g, 'right$1@example.com');
    expect(await importFile(app, client, corrected)).toMatchObject({
      doubts: [],
      counts: { created: 300, failed: 0 },
    });
    const { body } = await client.get('/leads?email=right299@example.com').expect(200);
    expect(body.data).toMatchObject([{ name: '=Ada', metadata: {} }]);
  });

  it('returns NDJSON with the cells of NDJSON', async () => {
    const file = ndjson(
      { name: 'Ada', email: 'nobody', tags: ['vip'] },
      { name: 'Bob', email: 'bob.nd@example.com' },
    );
    const { id } = await importFile(app, client, file);
    const lines = (await rejected(id, 'application/x-ndjson')).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { name: 'Ada', email: 'nobody', tags: ['vip'], error: 'email must be an email address.' },
    ]);
  });

  it('has the failed rows of a dry run too, and of an import that was cancelled meanwhile', async () => {
    const lines = Array.from({ length: 300 }, (_, index) =>
      index % 100 === 0 ? 'Ada,' : `Ada,d${index}@example.com`,
    );
    const { id } = await importFile(app, client, csv('name,email', ...lines), 'dry_run=true');
    expect(parseCsv(await rejected(id))).toHaveLength(4);
    await client.post(`/imports/${id}/start`, {}).expect(202);
    expect(parseCsv(await rejected(id))).toHaveLength(1);
    await runOnce(app.production);
    await client.post(`/imports/${id}/cancel`).expect(200);
    expect(parseCsv(await rejected(id))).toHaveLength(4);
    await runJobs(app.production);
    expect(parseCsv(await rejected(id))).toHaveLength(4);
  });

  it('forgets a person who was erased, and everything after 7 days', async () => {
    const { email, id: lead } = await createLead(client, {});
    const { id } = await importFile(app, client, csv('name,email', `Ada,${email}`, 'Bob,nobody'));
    expect(parseCsv(await rejected(id))).toHaveLength(3);
    await client.delete(`/leads/${lead}`).expect(204);
    await forgetErased(app.production.db, 0);
    expect(parseCsv(await rejected(id))).toEqual([
      ['name', 'email', 'error'],
      ['Bob', 'nobody', 'email must be an email address.'],
    ]);
    await app.production
      .knex('import_chunks')
      .update({ created_at: new Date(Date.now() - 7.01 * 86_400_000).toISOString() });
    await deleteOldChunks(app.production.db, new Date(), 1_000);
    expect(parseCsv(await rejected(id))).toHaveLength(1);
  });

  it('is refused without the scope, and as JSON', async () => {
    const { id } = await send(client, csv('name', 'Ada'), 'start=false');
    const other = await app.client(['contacts:read']);
    await other.get(`/imports/${id}/rejected-rows`).expect(403);
    await client.get(`/imports/${id}/rejected-rows`).set('Accept', 'application/json').expect(406);
  });
});
