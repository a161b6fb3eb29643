/** `/readyz` is 200 only while requests can succeed. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { until } from '../../support/deliveries.ts';

let app: TestApp;
let log: string[];

beforeEach(async () => {
  log = [];
  app = await startTestApp({ log: (line) => log.push(line) });
  expect(await readiness()).toEqual({ status: 200, body: { status: 'ok', sandbox: 'unavailable' } });
});

afterEach(() => app.close());

async function readiness() {
  const response = await fetch(`${app.url}/readyz`);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

it.each([
  ['the tables are gone', 'drop schema public cascade; create schema public', 'It has no tables'],
  ['a table is missing', 'drop table notes cascade', 'It lacks the tables notes'],
  [
    'its migrations are behind',
    'delete from knex_migrations where id = (select max(id) from knex_migrations)',
    'It lacks 1 migrations of this version',
  ],
  ['its migrations are unknown', 'drop table knex_migrations', /^It lacks \d{2} migrations of this version$/],
  [
    'its label is gone',
    'delete from database_label',
    /has tables, but no label that says that it is the production one/,
  ],
  [
    'it is the database of another environment',
    `update database_label set environment = 'sandbox'`,
    /is labelled sandbox, and can't be used as the production one/,
  ],
])('it is 503 under a running service when %s, and the log says why', async (_, sql, reason) => {
  await app.production.knex.raw(sql);
  await until(async () => (await readiness()).status === 503, 3);
  expect((await readiness()).body).toMatchObject({
    code: 'unavailable',
    message: "The production database can't be used. The log of the service says why.",
  });
  const lines = log.map((line) => JSON.parse(line)).filter(({ reason: given }) => given !== undefined);
  expect(lines).toEqual([
    expect.objectContaining({
      level: 50,
      environment: 'production',
      msg: "The database can't be used.",
      reason: expect.stringMatching(reason),
    }),
  ]);
});

it('it is 200 again as soon as the database is complete again', async () => {
  const { knex } = app.production;
  await knex.raw('alter table notes rename to hidden');
  await until(async () => (await readiness()).status === 503, 3);
  await knex.raw('alter table hidden rename to notes');
  await until(async () => (await readiness()).status === 200, 3);
});

it('it is 200 with the migrations and the tables of a newer version', async () => {
  const { knex } = app.production;
  await knex('knex_migrations').insert({
    name: '999_of_a_newer_version.ts',
    batch: 2,
    migration_time: new Date(),
  });
  await knex.raw('create table of_a_newer_version ()');
  await new Promise((done) => setTimeout(done, 300));
  expect((await readiness()).status).toBe(200);
});
