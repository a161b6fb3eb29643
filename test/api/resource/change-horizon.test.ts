/** With updated_from, every list ends at the start of the oldest change that is not committed yet. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createEmptyDatabase } from '../../support/database.ts';
import { until } from '../../support/deliveries.ts';
import { createLead, uniqueEmail } from '../../support/factories.ts';
import { inboundHooks } from '../../support/hooks.ts';
import { linked, parseLinks } from '../../support/lists.ts';
import { notes } from '../../support/notes.ts';
import { contacts, content, leads, make, type TestResource, users } from '../../support/resources.ts';
import { webhooks } from '../../support/webhooks.ts';

const START = '2020-01-01T00:00:00Z';

let app: TestApp;
let client: TestClient;
let contact_id: string;
const opened: pg.Client[] = [];

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client();
  ({ id: contact_id } = await make(client, contacts));
});

afterAll(async () => {
  await Promise.all(opened.map((connection) => connection.end()));
  await app.close();
});

/** A connection of another program. */
async function connect(url = app.production.database.url): Promise<pg.Client> {
  const connection = new pg.Client({ connectionString: url });
  await connection.connect();
  opened.push(connection);
  return connection;
}

/** A transaction that has run these statements and is still open. */
async function begin(...statements: string[]): Promise<pg.Client> {
  const connection = await connect();
  for (const statement of ['begin', ...statements]) await connection.query(statement);
  return connection;
}

const insertLead = (name: string) => `insert into leads (id, name, email, status, source)
  values (new_uuid(), '${name}', '${uniqueEmail()}', 'new', 'api')`;

async function page(path: string, query: string) {
  const { body, headers } = await client.get(`${path}?per_page=100&${query}`).expect(200);
  return { ...body, links: parseLinks(headers.link ?? '') };
}

async function namesFrom(updatedFrom: string, more = ''): Promise<string[]> {
  const { data } = await page('/leads', `updated_from=${updatedFrom}&sort=updated_at${more}`);
  return data.map(({ name }: { name: string }) => name);
}

/** Without notes about a lead, which wait for each other: each is the lead's last activity. */
const contactNotes = { ...notes, input: () => ({ contact_id, text: 'Called back.' }) };
const listed = [leads, contacts, content, users, contactNotes, webhooks, inboundHooks];

describe.each(listed as TestResource<unknown>[])('GET $path with updated_from', (resource) => {
  it('ends before a change that is not committed yet, and lists it in its place afterwards', async () => {
    const table = resource.table ?? resource.path.slice(1);
    const [first, second, third] = [
      await make(client, resource),
      await make(client, resource),
      await make(client, resource),
    ] as { id: string }[];
    // As every change of the service.
    const writer = await begin(
      `update ${table} set updated_at = change_time(), version = version + 1
       where created_at = (select max(created_at) from ${table})`,
    );
    const fourth = (await make(client, resource)) as { id: string };
    const ids = async (query: string) => {
      const { data, meta } = await page(resource.path, `${query}&sort=updated_at`);
      expect(meta.total).toBe(data.length);
      return data
        .map(({ id }: { id: string }) => id)
        .filter((id: string) => [first, second, third, fourth].some((made) => made?.id === id));
    };
    const all = [first?.id, second?.id, third?.id, fourth.id];
    expect(await ids(`updated_from=${START}`)).toEqual(all.slice(0, 3));
    expect(await ids('')).toEqual(all);
    await writer.query('commit');
    expect(await ids(`updated_from=${START}`)).toEqual(all);
  });
});

describe('The change horizon', () => {
  it('lets no later change appear behind what a reader has seen, however late the lock of the change', async () => {
    const gate = await begin('select pg_advisory_xact_lock(4711, 1)');
    const writer = await connect();
    await writer.query(
      `create function pg_temp.pass_gate() returns text language plpgsql immutable as $$
      begin
        perform pg_advisory_xact_lock(4711, 1);
        return 'Late';
      end $$`,
    );
    // The statement begins, and waits while it is planned.
    const writing = writer.query(
      `insert into leads (id, name, email, status, source)
       values (new_uuid(), pg_temp.pass_gate(), '${uniqueEmail()}', 'new', 'api')`,
    );
    const isWaiting = async () => {
      const { rows } = await gate.query("select from pg_locks where locktype = 'advisory' and not granted");
      return rows.length > 0;
    };
    await until(isWaiting);
    const { updated_at } = await createLead(client, { name: 'Early' });
    expect(await namesFrom(updated_at)).toEqual(['Early']);
    await gate.query('commit');
    await writing;
    expect(await namesFrom(updated_at)).toEqual(['Early', 'Late']);
  });

  it('shows your own change in your next request', async () => {
    for (let round = 0; round < 50; round += 1) {
      const { id, updated_at } = await createLead(client);
      const { data } = await page('/leads', `updated_from=${updated_at}&sort=-updated_at`);
      expect(data[0].id).toBe(id);
      const { body } = await client.patch(`/leads/${id}`, { company: `Company ${round}` }).expect(200);
      const [changed] = (await page('/leads', `updated_from=${body.data.updated_at}`)).data;
      expect(changed).toEqual(body.data);
    }
  });

  it('is not held back by reads, by other databases, or by what was rolled back', async () => {
    await createLead(client, { name: 'Before' });
    const other = await createEmptyDatabase();
    const elsewhere = await connect(other.url);
    const [{ key }] = (await elsewhere.query('select (17762::bigint << 48)::text as key')).rows;
    await elsewhere.query(`begin; select pg_advisory_xact_lock_shared(${key})`);
    const reading = await begin('select count(*) from leads', 'select txid_current()');
    const withSavepoint = await begin('savepoint one', insertLead('Gone'), 'rollback to savepoint one');
    const { updated_at } = await createLead(client, { name: 'Now' });
    expect(await namesFrom(updated_at)).toEqual(['Now']);
    await withSavepoint.query(insertLead('Kept'));
    await createLead(client, { name: 'After' });
    // Its transaction began before the first of these.
    expect(await namesFrom(updated_at)).toEqual([]);
    await withSavepoint.query('commit');
    expect(await namesFrom(updated_at)).toEqual(['Now', 'Kept', 'After']);
    await reading.query('commit');
    await elsewhere.end();
    await other.drop();
  });

  it('is held back by the SQL of other programs', async () => {
    const { id, updated_at } = await createLead(client, { name: 'Changed by SQL' });
    const program = await begin(
      `update leads set company = 'Engines', version = version + 1, updated_at = now() where email = (
        select email from leads where name = 'Changed by SQL')`,
    );
    await createLead(client, { name: 'Later' });
    // The last version of the row that is committed is before the horizon.
    expect(await namesFrom(updated_at)).toEqual(['Changed by SQL']);
    await program.query('commit');
    const { data } = await page('/leads', `updated_from=${updated_at}&sort=updated_at`);
    expect(data.map(({ name }: { name: string }) => name)).toEqual(['Changed by SQL', 'Later']);
    expect(data[0]).toMatchObject({ id, company: 'Engines', version: 2 });
  });

  it('gives all changes of a statement the same time', async () => {
    const { id, created_at, updated_at, status_changed_at } = await createLead(client);
    expect([updated_at, status_changed_at]).toEqual([created_at, created_at]);
    const { body } = await client.patch(`/leads/${id}`, { status: 'won' }).expect(200);
    expect(body.data.status_changed_at).toBe(body.data.updated_at);
    expect(body.data.updated_at >= updated_at).toBe(true);
  });

  it('stays where it was throughout a walk by cursor, in any order', async () => {
    const { updated_at: since } = await createLead(client, { name: 'One' });
    const early = await createLead(client, { name: 'Two' });
    await createLead(client, { name: 'Three' });
    for (const sort of ['-created_at', 'created_at', 'updated_at', '-updated_at', 'name']) {
      const query = `updated_from=${since}&sort=${sort}&per_page=1`;
      const first = await client.get(`/leads?${query}`).expect(200);
      const { total, next_cursor } = first.body.meta;
      // Both changes are later than the walk. Seeing the second without the first would lose the first.
      await client.patch(`/leads/${early.id}`, { company: `While ${sort}` }).expect(200);
      await createLead(client, { name: 'While' });
      let [seen, cursor] = [1, next_cursor];
      while (cursor !== null) {
        const { body } = await client.get(`/leads?${query}&cursor=${cursor}`).expect(200);
        for (const lead of body.data) expect([lead.name, lead.company]).not.toContain(`While ${sort}`);
        seen += body.data.length;
        cursor = body.meta.next_cursor;
      }
      // The lead that changed has left the walk, unless it was on the first page.
      expect(total - seen).toBe(first.body.data[0].id === early.id ? 0 : 1);
      const target = linked(parseLinks(first.headers.link ?? '').next);
      expect([target.searchParams.has('cursor'), target.searchParams.has('page')]).toEqual([true, false]);
    }
  });

  it('ends an export too', async () => {
    const { updated_at } = await createLead(client, { name: 'Exported' });
    const writer = await begin(insertLead('Open'));
    await createLead(client, { name: 'Behind' });
    const exported = async (query: string) => {
      const { text } = await client
        .get(`/leads/export?${query}`)
        .set('Accept', 'application/x-ndjson')
        .expect(200);
      return text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).name);
    };
    expect(await exported(`updated_from=${updated_at}`)).toEqual(['Exported']);
    expect(await exported(`created_from=${updated_at}`)).toEqual(['Behind', 'Exported']);
    await writer.query('commit');
    expect(await exported(`updated_from=${updated_at}&sort=updated_at`)).toEqual([
      'Exported',
      'Open',
      'Behind',
    ]);
  });

  it('is checked in a cursor', async () => {
    await createLead(client);
    await createLead(client);
    const query = `updated_from=${START}&per_page=1`;
    const { body } = await client.get(`/leads?${query}`).expect(200);
    const parts = JSON.parse(Buffer.from(body.meta.next_cursor, 'base64url').toString());
    for (const horizon of ['', 'tomorrow', 7, null]) {
      const cursor = Buffer.from(JSON.stringify([...parts.slice(0, -1), horizon])).toString('base64url');
      await client.get(`/leads?${query}&cursor=${cursor}`).expect(400);
    }
  });
});
