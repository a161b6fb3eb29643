/** The chapters for clients of the API are resources. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { copied } from '../../support/dockerfile.ts';
import { type Agent, connectAgent } from '../../support/mcp.ts';

const project = join(import.meta.dirname, '../../..');

let app: TestApp;
let agent: Agent;

beforeAll(async () => {
  app = await startTestApp();
  agent = await connectAgent(await app.client(['leads:read']));
});

afterAll(() => app.close());

it('lists the chapters for integrating, not those for operators', async () => {
  const { resources } = await agent.client.listResources();
  const names = resources.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['model.md', 'webhooks.md', 'errors.md', 'agents.md']));
  expect(names).not.toContain('deployment.md');
  for (const resource of resources) {
    expect(resource).toEqual({
      uri: `lead-pipeline://guides/${resource.name}`,
      name: resource.name,
      title: expect.any(String),
      description: expect.any(String),
      mimeType: 'text/markdown',
    });
  }
});

it('reads each of them as Markdown, from files that the image has', async () => {
  const { resources } = await agent.client.listResources();
  expect(copied).toContain('docs');
  for (const { uri, name } of resources) {
    const { contents } = await agent.client.readResource({ uri });
    const text = readFileSync(join(project, 'docs', name), 'utf8');
    expect(contents).toEqual([{ uri, mimeType: 'text/markdown', text }]);
  }
});

it.each(['deployment.md', '../package.json', 'nothing.md'])('does not read %s', async (name) => {
  await expect(agent.client.readResource({ uri: `lead-pipeline://guides/${name}` })).rejects.toThrow(
    'There is no guide',
  );
});
