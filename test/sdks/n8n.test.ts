/** The n8n workflow of examples/connectors, checked with what n8n publishes about its nodes: n8n itself has 3 GB. */
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { TestClient } from '../support/client.ts';
import { createLead } from '../support/factories.ts';
import { createWorkshop, execute } from './tools.ts';

const file = join(import.meta.dirname, '../../examples/connectors/n8n/new-leads.json');
/** The newest ones of which all parts are published. */
const PACKAGES = { 'n8n-workflow': '2.41.0' };
const NODES = 'n8n-nodes-base@2.41.1';

interface Node {
  name: string;
  typeVersion: number;
  parameters: Record<string, unknown>;
}

let app: TestApp;
let client: TestClient;
let workshop: Awaited<ReturnType<typeof createWorkshop>>;
let folder: string;
let text: string;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
  workshop = await createWorkshop();
  folder = await workshop.install('n8n', PACKAGES);
  await execute(folder, 'npm', ['pack', '--silent', NODES]);
  const archive = `${NODES.replace('@', '-')}.tgz`;
  await execute(folder, 'tar', ['-xzf', archive, 'package/dist/types/nodes.json']);
  await cp(join(import.meta.dirname, 'n8n/check.mjs'), join(folder, 'check.mjs'));
  text = await readFile(file, 'utf8');
}, 400_000);

afterAll(async () => {
  await app.close();
  await workshop.remove();
});

async function check(workflow: object, log?: object) {
  const START = JSON.stringify({ workflow, log });
  return JSON.parse(await execute(folder, process.execPath, ['check.mjs'], { START }));
}

/** The workflow with a mistake in the node. */
function withMistake(name: string, make: (node: Node) => void): object {
  const workflow = JSON.parse(text) as { nodes: Node[] };
  make(workflow.nodes.find((node) => node.name === name) as Node);
  return workflow;
}

it('has nodes, versions and parameters that n8n knows', async () => {
  expect((await check(JSON.parse(text))).issues).toEqual([]);
}, 60_000);

const mistakes: Record<string, [(node: Node) => void, string]> = {
  'One by one': [({ parameters }) => delete parameters.fieldToSplitOut, 'Fields To Split Out'],
  'Get events': [({ parameters }) => Object.assign(parameters, { adress: '' }), 'unknown'],
  'Read cursor': [(node) => Object.assign(node, { typeVersion: 99 }), 'no such node or version'],
  'Save cursor': [(node) => Object.assign(node, { name: 'Save' }), 'no such node'],
};

it.each(Object.entries(mistakes))('A mistake in "%s" is found', async (name, [make, issue]) => {
  const { issues } = await check(withMistake(name, make));
  expect(issues).toEqual([expect.stringContaining(issue)]);
});

it('posts a message for each new lead, and continues after it', async () => {
  const { parameters } = (JSON.parse(text).nodes as Node[]).find(({ name }) => name === 'Get events') as Node;
  const sent = (parameters.queryParameters as { parameters: { name: string; value: string }[] }).parameters;
  const query = (cursor: string) =>
    new URLSearchParams(
      Object.fromEntries(sent.map(({ name, value }) => [name, value.replace('={{ $json.cursor }}', cursor)])),
    );
  const { body: begin } = await client.get(`/events?${query('latest')}`).expect(200);
  await createLead(client, { name: 'Ada Lovelace', company: null });
  await createLead(client, { name: 'Grace Hopper', company: 'US Navy', source: 'website' });
  const { body: log } = await client.get(`/events?${query(begin.meta.next_cursor)}`).expect(200);
  const { issues, cursors, messages } = await check(JSON.parse(text), log);
  expect(issues).toEqual([]);
  expect(cursors).toEqual(['latest', log.meta.next_cursor]);
  expect(messages).toEqual([
    'New lead: Ada Lovelace, no company (api)',
    'New lead: Grace Hopper, US Navy (website)',
  ]);
}, 60_000);
