/** What was recorded before users and digests were erased is erased by the migration. */
import { createHash, randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type IdPrefix, toId } from '../../src/values/id.ts';
import { createEmptyDatabase, migrateBefore } from '../support/database.ts';

const name = '20261125000800';
let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let knex: Knex;

beforeAll(async () => {
  database = await createEmptyDatabase();
  knex = database.knex;
  await migrateBefore(knex, name);
});

afterAll(() => database.drop());

const digest = (text: string) => createHash('sha256').update(text).digest('hex');
const both = (from: unknown, to: unknown) => ({ from, to });

function person(prefix: IdPrefix) {
  const uuid = randomUUID();
  return { uuid, id: toId(prefix, uuid) };
}

async function record(
  type: string,
  { uuid, id }: { uuid: string; id: string },
  fields: object,
  changes = {},
) {
  await knex.raw(
    `insert into events (type, request_id, actor_type, resource_id, object, changes) values (?, 'r', 'system', ?, ?, ?)`,
    [type, uuid, JSON.stringify({ id, ...fields }), JSON.stringify(changes)],
  );
}

async function eventsOf({ uuid }: { uuid: string }) {
  const { rows } = await knex.raw(
    'select object, changes from events where resource_id = ? order by position',
    [uuid],
  );
  return rows.map(
    ({ object: { id: _, ...object }, changes }: { object: { id: string }; changes: object }) => [
      object,
      changes,
    ],
  );
}

it('erases deleted people, and leaves the others as they are', async () => {
  const [gone, kept] = [person('user'), person('user')];
  const [lead, other] = [person('lead'), person('lead')];
  const grace = { name: 'Grace', email: 'grace@example.com' };
  for (const user of [gone, kept]) {
    await record('user.created', user, grace);
    await record('user.updated', user, grace, { name: both('G', 'Grace') });
  }
  await record('user.deleted', gone, {});
  const tags = { tags_sha256: both(digest('one'), digest('two')), source: both('web', 'ad') };
  const text = { text_sha256: both(digest('one'), null) };
  for (const owner of [lead, other]) {
    await record('lead.updated', owner, { name: 'Erased' }, tags);
    await record('note.updated', owner, { text: 'Erased' }, text);
  }
  await record('lead.deleted', lead, {});

  const clientId = randomUUID();
  await knex.raw(
    `insert into api_clients (id, name, scopes, secret_hash) values (?, 'Test', '{read}', '\\x00')`,
    [clientId],
  );
  const answer = (key: string, data: object) =>
    knex('idempotency_keys').insert({
      client_id: clientId,
      key,
      request_hash: Buffer.alloc(32),
      status: 201,
      body: JSON.stringify({ data }),
    });
  await answer('gone', { id: gone.id, ...grace });
  await answer('kept', { id: kept.id, ...grace });
  await answer('odd', { id: 'webhook_1', name: '\u0000' });

  await knex.migrate.up();

  const erased = { name: 'Erased', email: `${gone.id}@erased.invalid` };
  expect(await eventsOf(gone)).toEqual([
    [erased, {}],
    [erased, { name: both('Erased', 'Erased') }],
    [{}, {}],
  ]);
  expect(await eventsOf(kept)).toEqual([
    [grace, {}],
    [grace, { name: both('G', 'Grace') }],
  ]);
  expect(await eventsOf(lead)).toEqual([
    [{ name: 'Erased' }, { tags_sha256: both(null, null), source: tags.source }],
    [{ text: 'Erased' }, { text_sha256: both(null, null) }],
    [{}, {}],
  ]);
  expect(await eventsOf(other)).toEqual([
    [{ name: 'Erased' }, tags],
    [{ text: 'Erased' }, text],
  ]);
  const answers = await knex('idempotency_keys').orderBy('key').select('key', 'body', 'people');
  expect(answers).toEqual([
    { key: 'gone', body: { data: { id: gone.id, ...erased } }, people: [gone.uuid] },
    { key: 'kept', body: { data: { id: kept.id, ...grace } }, people: [kept.uuid] },
    { key: 'odd', body: { data: { id: 'webhook_1', name: '\u0000' } }, people: [] },
  ]);
});
