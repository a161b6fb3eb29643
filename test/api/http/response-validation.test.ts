import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createContract } from '../../../src/http/validation/contract.ts';
import { readDocument } from '../../../src/http/validation/document.ts';
import { toUuid } from '../../../src/values/id.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead } from '../../support/factories.ts';

let app: TestApp;
let client: TestClient;
const log: string[] = [];

beforeAll(async () => {
  app = await startTestApp({ log: (line) => log.push(line) });
  client = await app.client();
});

afterEach(async () => {
  await app.production.knex('leads').delete();
  log.length = 0;
});

afterAll(() => app.close());

/** Stores a value that the API would never accept. */
async function corrupt(id: string, sql: string): Promise<void> {
  await app.production.knex.raw(`update leads set ${sql} where id = ?`, [toUuid('lead', id) ?? '']);
}

describe('an answer that breaks the contract', () => {
  it.each([
    ['a list where a value belongs', `metadata = '{"leak": [4711]}'`, 'metadata'],
    ['a version before the first', `version = -4711`, 'version'],
  ])('is a 500 without details, which are in the log: %s', async (_what, sql, field) => {
    const { id } = await createLead(client);
    await corrupt(id, sql);
    for (const path of [`/leads/${id}`, '/leads']) {
      log.length = 0;
      const { body, headers, text } = await client.get(path).expect(500);
      expect(body).toEqual({
        message: expect.any(String),
        code: 'internal_error',
        request_id: headers['x-request-id'],
      });
      expect(text).not.toMatch(new RegExp(`4711|${field}|leads|schema`));
      for (const name of ['etag', 'link', 'location']) expect(headers).not.toHaveProperty(name);
      const line = log
        .map((text) => JSON.parse(text))
        .find(({ err }) => JSON.stringify(err ?? '').includes(field));
      expect(line).toMatchObject({ level: 50, request_id: headers['x-request-id'] });
    }
  });

  it('does not stop the service', async () => {
    const bad = await createLead(client);
    await corrupt(bad.id, 'version = -1');
    await client.get(`/leads/${bad.id}`).expect(500);
    const good = await createLead(client);
    await client.get(`/leads/${good.id}`).expect(200);
  });

  it('leaves a row that is sound alone when the contract holds', async () => {
    const { id } = await createLead(client);
    await corrupt(id, `metadata = '{"fine": "4711"}'`);
    expect((await client.get(`/leads/${id}`).expect(200)).body.data.metadata).toEqual({ fine: '4711' });
  });
});

describe('the contract', () => {
  it('lets a handler return only documented responses', async () => {
    const { validateResponse } = createContract(await readDocument());
    const data = await createLead(client);
    const { version: _version, ...incomplete } = data;
    validateResponse('getLead', 200, { data });
    for (const [id, status, body] of [
      ['getLead', 200, { data: { ...data, secret_hash: 'x' } }],
      ['getLead', 200, { data, debug: true }],
      ['getLead', 200, { data: incomplete }],
      ['getLead', 200, { data: { ...data, tags: 'vip' } }],
      ['getLead', 200, { data: { ...data, status: 'bogus' } }],
      ['getLead', 200, data],
      ['getLead', 200, undefined],
      ['getLead', 201, { data }],
      ['getLead', 418, { message: 'x', code: 'x', request_id: 'x' }],
      ['getLead', 404, { message: 'x', request_id: 'x' }],
      ['getLead', 404, { message: 'x', code: 'x', request_id: 'x', stack: 'x' }],
      ['deleteLead', 204, { data }],
      ['listLeads', 200, { data: [data, incomplete], meta: {} }],
    ] as const) {
      expect(() => validateResponse(id, status, body), JSON.stringify(body)).toThrow();
    }
  });
});

describe('a fault of the database', () => {
  it('is a 500 without details, and the failed row is not in the log', async () => {
    await app.production.knex.raw(
      `alter table leads add constraint no_marker check (company <> 'marker-4711')`,
    );
    const { body, headers, text } = await client
      .post('/leads', { name: 'Ada', email: 'private-4711@example.com', company: 'marker-4711' })
      .expect(500);
    expect(body).toEqual({
      message: expect.any(String),
      code: 'internal_error',
      request_id: headers['x-request-id'],
    });
    expect(text).not.toMatch(/4711|no_marker|leads/);
    const lines = log.filter((line) => line.includes(body.request_id));
    expect(lines.join()).toContain('no_marker');
    expect(lines.join()).not.toContain('4711');
    await app.production.knex.raw('alter table leads drop constraint no_marker');
  });

  it('is a 503 with Retry-After when it passes, such as a lost connection', async () => {
    await app.production.knex.raw('select 1');
    await app.production.knex.raw('alter table leads rename to leads_gone');
    await client.get('/leads').expect(500);
    await app.production.knex.raw('alter table leads_gone rename to leads');
    const lead = await createLead(client);
    const request = app.production.knex.transaction(async (trx) => {
      await trx('leads').where('name', lead.name).forUpdate();
      const patch = client.patch(`/leads/${lead.id}`, { company: 'X' }).then((answer) => answer);
      await expect
        .poll(
          async () => {
            // Not in the transaction, which keeps seeing the activity of its first query.
            const { rows } = await app.production.knex.raw(
              `select pg_terminate_backend(pid) from pg_stat_activity
               where datname = current_database() and wait_event_type = 'Lock'`,
            );
            return rows.length;
          },
          { timeout: 5_000, interval: 20 },
        )
        .toBe(1);
      return { patch };
    });
    const { status, headers, body } = await (await request).patch;
    expect(status).toBe(503);
    expect(body).toMatchObject({ code: 'unavailable', request_id: headers['x-request-id'] });
    expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
    await client.patch(`/leads/${lead.id}`, { company: 'X' }).expect(200);
  });
});
