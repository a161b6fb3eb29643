/** The dlt source of examples/connectors: it copies a pipeline, and is killed while it does. */
import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeApiClient, makeApiKey } from '../support/api-clients.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { TestClient } from '../support/client.ts';
import { createLead, createUser, uniqueEmail } from '../support/factories.ts';
import { cleanUp, run } from '../support/process.ts';
import { missing } from '../support/programs.ts';
import { createVenv } from './openapi-generator.ts';
import { createWorkshop, execute } from './tools.ts';

const example = join(import.meta.dirname, '../../examples/connectors/dlt');
const programs = join(import.meta.dirname, 'dlt');
const skipped = missing('python3');

type Row = Record<string, unknown> & { id: string };
type Tables = Record<string, Row[]>;

/** The tables of the copy, with the paths that they are copied from. */
const lists = {
  users: '/users',
  content: '/content',
  contacts: '/contacts',
  leads: '/leads',
  sales_cycles: '/sales-cycles',
  notes: '/notes',
};

let app: TestApp;
let client: TestClient;
let workshop: Awaited<ReturnType<typeof createWorkshop>>;
let folder: string;
let python: string;
let env: Record<string, string>;

/** All rows of a list, or all events. */
async function readAll(path: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await client.get(`${path}?per_page=100${cursor}`).expect(200);
    rows.push(...body.data);
    if (!body.meta.has_more) return rows;
    cursor = `&cursor=${body.meta.next_cursor}`;
  }
}

/** What the copy keeps of an event. */
function copied({ data, ...event }: Row): Row {
  const { object, changes = {} } = data as { object: Row; changes?: object };
  return { ...event, object_id: object.id, changed: Object.keys(changes) };
}

/** Rows in a form that both sides have: sorted, without nulls and dlt's own columns, times as in JSON. */
function comparable(rows: Row[]): Row[] {
  const entries = (row: Row) =>
    Object.entries(row)
      .filter(([name, value]) => value !== null && !name.startsWith('_dlt'))
      .map(([name, value]) => [name, /_at$/.test(name) ? new Date(String(value)).toISOString() : value]);
  return rows.map((row) => Object.fromEntries(entries(row)) as Row).sort((a, b) => (a.id < b.id ? -1 : 1));
}

async function expectEqual(): Promise<Tables> {
  const { crm, crm_staging } = JSON.parse(
    await execute(folder, python, [join(programs, 'rows.py')], env),
  ) as Record<string, Tables>;
  const expected = Object.entries(lists).map(async ([table, path]) => [table, await readAll(path)] as const);
  const events = (await readAll('/events')).map(copied);
  for (const [table, rows] of [...(await Promise.all(expected)), ['events', events] as const]) {
    expect(comparable(crm?.[table] ?? []), table).toEqual(comparable(rows));
  }
  // What was deleted is in none of dlt's own tables either.
  expect(Object.values(crm_staging ?? {}).flat()).toEqual([]);
  return crm as Tables;
}

const copy = () => execute(folder, python, ['lead_pipeline.py'], env);

/** Starts a copy, changes data while it stands at this point, and kills it there. */
async function killAt(point: string, change: () => Promise<unknown>): Promise<void> {
  const { child, output } = run(python, [join(programs, 'paused.py'), point], env, folder);
  await vi.waitFor(
    () => {
      if (child.exitCode !== null) throw new Error(output.stderr);
      expect(output.stdout).toContain('paused');
    },
    { timeout: 120_000, interval: 50 },
  );
  await change();
  child.kill('SIGKILL');
  await once(child, 'close');
}

/** What a team makes, and changes or deletes later. */
interface World {
  lead: Row;
  twin: Row;
  won: Row;
  contact: Row;
  noteId: string;
  userId: string;
  contentId: string;
}

async function create(path: string, body: object): Promise<Row> {
  return (await client.post(path, body).expect(201)).body.data;
}

async function build(): Promise<World> {
  const userId = await createUser(client);
  const { id: contentId } = await create('/content', { title: 'Seven Ways to Count Leads', type: 'ebook' });
  const contact = await create('/contacts', { name: 'Lin Chen', email: uniqueEmail() });
  const fields = { tags: ['vip'], metadata: { plan: 'gold' }, value: { amount: '1250', currency: 'EUR' } };
  const lead = await createLead(client, { ...fields, contact_id: contact.id });
  const twin = await createLead(client, { other_emails: [uniqueEmail()] });
  const won = await createLead(client, { ...fields, status: 'won' });
  const notes = [{ contact_id: contact.id }, { lead_id: lead.id }, { lead_id: twin.id }, { lead_id: won.id }];
  const created = await Promise.all(notes.map((about) => create('/notes', { ...about, text: 'Called.' })));
  return { lead, twin, won, contact, noteId: created[3]?.id ?? '', userId, contentId };
}

/** Changes all of it, and deletes most of it. */
async function change({ lead, twin, won, contact, noteId, userId, contentId }: World): Promise<void> {
  await client.patch(`/leads/${lead.id}`, { status: 'qualified', metadata: { plan: null } }).expect(200);
  await client.post(`/leads/${lead.id}/merge`, { lead_id: twin.id }).expect(200);
  const { body } = await client.post(`/leads/${won.id}/reopen`, {}).expect(200);
  await client.delete(`/sales-cycles/${body.data.sales_cycle.id}`).expect(204);
  await client.patch(`/leads/${won.id}`, { status: 'contacted' }).expect(200);
  for (const path of [
    `/notes/${noteId}`,
    `/users/${userId}`,
    `/content/${contentId}`,
    `/contacts/${contact.id}`,
  ]) {
    await client.delete(path).expect(204);
  }
}

// The name says what is missing. Its hooks must not run either.
describe.skipIf(skipped)(`examples/connectors/dlt${skipped === undefined ? '' : ` (${skipped})`}`, () => {
  vi.setConfig({ testTimeout: 500_000 });

  beforeAll(async () => {
    app = await startTestApp({ sandbox: true });
    client = await app.client(['read', 'write'], 'sandbox');
    const admin = await app.client(['admin'], 'sandbox');
    const { id } = await makeApiClient(admin, { scopes: ['read'] });
    const { api_key } = await makeApiKey(admin, id);
    workshop = await createWorkshop();
    folder = join(workshop.root, 'example');
    await cp(example, folder, { recursive: true });
    const bin = await createVenv(join(workshop.root, 'venv'), ['-r', join(folder, 'requirements.txt')]);
    python = join(bin, 'python');
    env = {
      BASE_URL: `${app.url}/sandbox/v1`,
      API_KEY: api_key,
      DLT_DATA_DIR: join(workshop.root, 'dlt'),
      PYTHONPATH: folder,
    };
  }, 600_000);

  afterAll(async () => {
    await cleanUp();
    await app.close();
    await workshop.remove();
  });

  it('ends equal to the API, although it is killed five times while leads change', async () => {
    // A text that looks like a time stays a text.
    await createLead(client, { name: '2026-01-01T00:00:00Z' });
    await Promise.all(Array.from({ length: 120 }, () => createLead(client)));
    let earlier = await build();
    for (const point of ['reading', 'loaded', 'read', 'merged', 'staged']) {
      await killAt(point, async () => {
        const next = await build();
        await change(earlier);
        await client.delete(`/leads/${earlier.lead.id}`).expect(204);
        earlier = next;
      });
    }
    await copy();
    const { leads = [] } = await expectEqual();
    expect(leads.length).toBeGreaterThan(120);
  });

  it('copies what has changed since', async () => {
    const world = await build();
    await copy();
    await change(world);
    await copy();
    const { leads = [] } = await expectEqual();
    expect(leads.map(({ id }) => id)).not.toContain(world.twin.id);
    // The last run read a few of the leads.
    const runs = leads.map(({ _dlt_load_id }) => String(_dlt_load_id)).sort();
    expect(runs.filter((run) => run === runs.at(-1)).length).toBeLessThan(20);
  });

  it('copies everything again when the events after its cursor are gone', async () => {
    await client.post('/sandbox/reset').expect(200);
    await build();
    await copy();
    const { leads = [] } = await expectEqual();
    expect(leads).toHaveLength(3);
  });
});
