import { randomUUID } from 'node:crypto';
import createKnex, { type Knex } from 'knex';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { knex as builder } from '../../../src/db/query.ts';
import { createLogger } from '../../../src/process/logger.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead } from '../../support/factories.ts';

const PERSON = 'Ada-Private';
const EMAIL = 'ada-private@example.com';

let app: TestApp;
let client: TestClient;
/** As other libraries do, which write bound values into an error's message. */
let knex: Knex;
const lines: string[] = [];
const logger = createLogger('info', { write: (line) => lines.push(line) });

beforeAll(async () => {
  app = await startTestApp({ log: (line) => lines.push(line) });
  client = await app.client();
  knex = createKnex({ client: 'pg', connection: app.databases[0]?.url ?? inject('serverUrl') });
});

afterEach(() => {
  lines.length = 0;
});

afterAll(async () => {
  await knex.destroy();
  await app.close();
});

function expectNoPerson(): void {
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.join('\n').toLowerCase()).not.toMatch(/private/);
}

describe('an error in the log', () => {
  const contact = () => ({ id: randomUUID(), name: PERSON, email: `${randomUUID()}-${EMAIL}` });

  it.each<[what: string, shown: RegExp, queries: (knex: Knex) => (Knex.QueryBuilder | Knex.Raw)[]]>([
    [
      'a broken unique constraint',
      /contact_emails_email_key/,
      (knex) => {
        const [first, second] = [contact(), contact()];
        return [
          ...[first, second].map((row) => knex('contacts').insert(row)),
          knex('contacts').where({ id: second.id }).update({ email: first.email }),
        ];
      },
    ],
    [
      'a missing value, whose detail has the row',
      /23502/,
      (knex) => [knex('contacts').insert({ ...contact(), name: null as never })],
    ],
    [
      'a value that is none',
      /22P02/,
      (knex) => [knex('contacts').insert({ ...contact(), id: `no - ${PERSON}` })],
    ],
    ['a value that is none, in SQL of ours', /22P02/, (knex) => [knex.raw('select ?::text::int', [PERSON])]],
    ['a date that is none', /22007/, (knex) => [knex.raw('select ?::text::date', [PERSON])]],
    [
      'no such column',
      /42703/,
      (knex) => [knex('contacts').insert({ ...contact(), nothing: PERSON } as never)],
    ],
    [
      'an exception with a context',
      /22012/,
      (knex) => [knex.raw(`do $$ begin perform '${PERSON}', 1 / 0; end $$`)],
    ],
    [
      'a connection that breaks',
      /57P01|terminat/,
      (knex) => [
        knex.raw('select ?::text, pg_terminate_backend(pg_backend_pid())', [`${PERSON} - ${EMAIL}`]),
      ],
    ],
  ])('describes what happened without personal data: %s', async (_what, shown, queries) => {
    const ofOthers = async () => {
      for (const query of queries(knex)) await query;
    };
    const ofTheService = async () => {
      for (const query of queries(builder)) await app.production.db.run(query);
    };
    for (const provoke of [ofOthers, ofTheService]) {
      const error = await provoke().then(
        () => expect.unreachable(),
        (reason: Error) => reason,
      );
      lines.length = 0;
      logger.warn({ err: error }, 'It failed.');
      logger.warn({ err: new Error('Around it.', { cause: error }) }, 'It failed.');
      expectNoPerson();
      for (const line of lines) expect(line).toMatch(shown);
      const { err } = JSON.parse(lines[0] ?? '');
      expect(err.stack).toMatch(/^ {4}at /);
    }
  });

  it("contains nothing of a body that isn't JSON", () => {
    for (const text of [PERSON, `{"name": "${PERSON}"`, `{"name": ${PERSON}}`]) {
      try {
        JSON.parse(text);
      } catch (error) {
        logger.error({ err: error }, 'It failed.');
      }
    }
    expect(lines).toHaveLength(3);
    expectNoPerson();
  });
});

describe('the log of a request that fails on the database', () => {
  it.each([
    [
      'while it writes',
      'insert or update',
      (as: TestClient, id: string) => as.patch(`/leads/${id}`, { name: PERSON }),
    ],
    [
      'while it stores the answer of a key',
      'insert or update',
      (as: TestClient) =>
        as
          .post('/contacts', { name: PERSON, email: EMAIL })
          .set('Idempotency-Key', `${PERSON}-${randomUUID()}`),
    ],
  ])('contains no personal data: %s', async (_what, _when, send) => {
    // More than once, because the pool may not know yet that a test above broke its connection.
    const { id } = await vi.waitFor(() => createLead(client), 10_000);
    await knex.raw(`create function fail() returns trigger language plpgsql as $$ begin
      raise exception 'No: %', row_to_json(new) using errcode = 'XX001', detail = row_to_json(new)::text;
    end $$`);
    for (const table of ['leads', 'idempotency_keys']) {
      await knex.raw(`create trigger fail before update on ${table} for each row execute function fail()`);
    }
    try {
      await send(client, id).expect(500);
    } finally {
      await knex.raw('drop function fail() cascade');
    }
    expectNoPerson();
    expect(lines.join()).toContain('XX001');
  });
});
