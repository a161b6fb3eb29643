/** The Airbyte manifest of examples/connectors, run by Airbyte's own program for such manifests. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { makeApiClient, makeApiKey } from '../support/api-clients.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { TestClient } from '../support/client.ts';
import { createLead } from '../support/factories.ts';
import { missing } from '../support/programs.ts';
import { createVenv } from './openapi-generator.ts';
import { createWorkshop, execute } from './tools.ts';

const example = join(import.meta.dirname, '../../examples/connectors/airbyte');
const manifest = join(example, 'manifest.yaml');
const skipped = missing('python3');

/** The streams, with the schemas of their records. */
const streams = {
  leads: 'Lead',
  contacts: 'Contact',
  content: 'Content',
  users: 'User',
  notes: 'Note',
  sales_cycles: 'SalesCycle',
};

interface Message {
  type: string;
  connectionStatus?: { status: string };
  catalog?: { streams: { name: string; json_schema: { properties: object } }[] };
  record?: { stream: string; data: Record<string, unknown> };
  state?: object;
}

let app: TestApp;
let client: TestClient;
let workshop: Awaited<ReturnType<typeof createWorkshop>>;
let bin: string;

/** Runs a command of Airbyte's protocol. Returns its messages. */
async function airbyte(command: string, options: Record<string, string> = {}): Promise<Message[]> {
  const files = { config: 'config.json', 'manifest-path': manifest, ...options };
  const parameters = Object.entries(files).flatMap(([name, file]) => [`--${name}`, file]);
  const output = await execute(workshop.root, join(bin, 'source-declarative-manifest'), [
    command,
    ...parameters,
  ]);
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** Reads all streams, from the given states. */
async function read(state: object[]) {
  const names = [...Object.keys(streams), 'events'];
  const catalog = names.map((name) => ({
    stream: { name, json_schema: {}, supported_sync_modes: ['full_refresh', 'incremental'] },
    sync_mode: 'incremental',
    destination_sync_mode: 'append_dedup',
  }));
  await writeFile(join(workshop.root, 'catalog.json'), JSON.stringify({ streams: catalog }));
  await writeFile(join(workshop.root, 'state.json'), JSON.stringify(state));
  const messages = await airbyte('read', { catalog: 'catalog.json', state: 'state.json' });
  const records = messages.flatMap(({ record }) => record ?? []);
  return {
    state: messages.flatMap((message) => message.state ?? []),
    ids: (stream: string) => records.flatMap(({ stream: own, data }) => (own === stream ? data.id : [])),
    events: records.filter(({ stream }) => stream === 'events').map(({ data }) => data),
  };
}

// The name says what is missing. Its hooks must not run either.
describe.skipIf(skipped)(`examples/connectors/airbyte${skipped === undefined ? '' : ` (${skipped})`}`, () => {
  beforeAll(async () => {
    app = await startTestApp({ sandbox: true });
    client = await app.client(['read', 'write'], 'sandbox');
    const admin = await app.client(['admin'], 'sandbox');
    const { id } = await makeApiClient(admin, { scopes: ['read'] });
    const { api_key } = await makeApiKey(admin, id);
    workshop = await createWorkshop();
    const config = { base_url: `${app.url}/sandbox/v1`, api_key };
    await writeFile(join(workshop.root, 'config.json'), JSON.stringify(config));
    const { version } = parse(await readFile(manifest, 'utf8'));
    bin = await createVenv(join(workshop.root, 'venv'), [`airbyte-cdk==${version}`]);
  }, 600_000);

  afterAll(async () => {
    await app.close();
    await workshop.remove();
  });

  it("is valid by Airbyte's schema, which rejects a mistake", async () => {
    const [status] = (await airbyte('check')).flatMap(({ connectionStatus }) => connectionStatus ?? []);
    expect(status).toEqual({ status: 'SUCCEEDED' });
    const wrong = (await readFile(manifest, 'utf8'))
      .replace('stop_condition:', 'stop_when:')
      .replace('cursor_value:', 'value:');
    await writeFile(join(workshop.root, 'wrong.yaml'), wrong);
    await expect(airbyte('check', { 'manifest-path': 'wrong.yaml' })).rejects.toThrow(
      /declarative_component_schema\.yaml/,
    );
  }, 120_000);

  it('has the fields of the document', async () => {
    const [catalog] = (await airbyte('discover')).flatMap((message) => message.catalog ?? []);
    const found = Object.fromEntries(
      (catalog?.streams ?? []).map(({ name, json_schema }) => [name, Object.keys(json_schema.properties)]),
    );
    const { body } = await client.at(app.url).get('/openapi.json').expect(200);
    const { schemas } = body.components;
    for (const [name, schema] of Object.entries(streams)) {
      // Without what only `expand` adds.
      const { properties, required } = schemas[schema];
      const fields = Object.keys(properties).filter((field) => required.includes(field));
      expect(found[name], name).toEqual(fields);
    }
    const { data: _, ...event } = schemas.LeadUpdatedEvent.properties;
    expect(found.events?.sort()).toEqual([...Object.keys(event), 'object_id', 'changed'].sort());
  }, 120_000);

  it('reads everything, then what has changed, with the ids of what was deleted', async () => {
    const leads = await Promise.all(Array.from({ length: 120 }, () => createLead(client)));
    const [changed, deleted] = leads as [(typeof leads)[0], (typeof leads)[0]];
    await client.post('/notes', { lead_id: changed.id, text: 'Called.' }).expect(201);
    const first = await read([]);
    expect(first.ids('leads').sort()).toEqual(leads.map(({ id }) => id).sort());
    expect(first.ids('sales_cycles')).toHaveLength(120);
    expect(first.ids('notes')).toHaveLength(1);

    await client.patch(`/leads/${changed.id}`, { status: 'contacted' }).expect(200);
    await client.delete(`/leads/${deleted.id}`).expect(204);
    const second = await read(first.state);
    expect(second.ids('leads')).toContain(changed.id);
    // The newest lead may come again, not all of them.
    expect(second.ids('leads').length).toBeLessThan(120);
    const about = (id: string) => second.events.filter(({ object_id }) => object_id === id);
    expect(about(deleted.id).map(({ type }) => type)).toContain('lead.deleted');
    expect(about(changed.id)).toContainEqual(
      expect.objectContaining({ type: 'lead.status_changed', changed: expect.arrayContaining(['status']) }),
    );
    expect(second.events.some((event) => 'data' in event)).toBe(false);
  }, 120_000);
});
