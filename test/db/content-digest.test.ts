/** What was recorded while events had the body of content loses it. */
import { createHash, randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEmptyDatabase } from '../support/database.ts';

const name = '20261121000100_content_digest.ts';
let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let knex: Knex;

beforeAll(async () => {
  database = await createEmptyDatabase();
  knex = database.knex;
  await knex.migrate.latest();
  await knex.migrate.down({ name });
});

afterAll(() => database.drop());

const digest = (text: string) => createHash('sha256').update(text).digest('hex');

async function texts(): Promise<unknown[]> {
  const { rows } = await knex.raw('select object::text, changes::text from events order by position');
  return rows;
}

it('the body gives way to its digest, in events and beside content; the rest stays as it was', async () => {
  const text = 'Zähl, "was" 勝った\n\\x41 🎉';
  const id = randomUUID();
  await knex.raw(`insert into content (id, title, slug, type, body) values (?, 'A', 'a', 'ebook', ?)`, [
    id,
    text,
  ]);
  const record = (type: string, object: object, changes: object) =>
    knex.raw(
      `insert into events (type, request_id, actor_type, resource_id, object, changes) values (?, 'r', 'system', ?, ?, ?)`,
      [type, id, JSON.stringify(object), JSON.stringify(changes)],
    );
  await record('content.created', { id: 'x', body: text, url: null }, {});
  await record(
    'content.updated',
    { body: null, version: 2 },
    { body: { from: text, to: null }, url: { from: 1, to: 2 } },
  );
  await record('content.deleted', { id: 'x' }, {});
  await record('lead.created', { id: 'y', metadata: { body: 'theirs' } }, {});
  const before = await texts();
  await knex.migrate.up({ name });
  const [row] = await knex('content').select('body_sha256' as never);
  expect(row).toEqual({ body_sha256: digest(text) });
  const after = (await texts()) as { object: string; changes: string }[];
  expect(after.map(({ object, changes }) => [JSON.parse(object), JSON.parse(changes)])).toEqual([
    [{ id: 'x', body_sha256: digest(text), url: null }, {}],
    [
      { body_sha256: null, version: 2 },
      { body_sha256: { from: digest(text), to: null }, url: { from: 1, to: 2 } },
    ],
    [{ id: 'x' }, {}],
    [{ id: 'y', metadata: { body: 'theirs' } }, {}],
  ]);
  expect(after.slice(2)).toEqual(before.slice(2));
});
