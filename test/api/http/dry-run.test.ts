import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { endpoints, readDocument } from '../../support/document.ts';
import { sendEveryOperation } from '../../support/every-operation.ts';

vi.setConfig({ testTimeout: 60_000 });

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client(undefined, 'sandbox');
});

afterAll(() => app.close());

/** All rows of all tables of the sandbox. */
async function everyRow(): Promise<Record<string, string[]>> {
  const { knex } = app.sandbox;
  const tables = await knex('pg_tables')
    .where({ schemaname: 'public' })
    .pluck('tablename')
    .orderBy('tablename');
  const rows: Record<string, string[]> = {};
  for (const table of tables) {
    const all = await knex(table).select(knex.raw('??::text as text', [table]));
    rows[table] = all.map(({ text }) => text).sort();
  }
  return rows;
}

const documented = endpoints(readDocument());
const writes = documented.filter(({ parameters }) => JSON.stringify(parameters ?? []).includes('Dry-Run'));

/** Values that differ from one run to the next, by pattern. */
function masked(text: string): string {
  return text
    .replaceAll(/\b[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/\blp[a-z]_(live|test)_[\w-]+/g, 'SECRET')
    .replaceAll(/"request_id":"[\w-]+"/g, '"request_id":"REQUEST"')
    .replaceAll(/"hint":"[\w-]+"/g, '"hint":"HINT"')
    .replaceAll(/whsec_[\w+/=]+/g, 'SECRET')
    .replaceAll(/\/hooks\/[\w-]+/g, '/hooks/TOKEN');
}

describe('Dry-Run: true', () => {
  it('is accepted by each operation that changes something, except for tokens and uploads', () => {
    const others = documented.filter((one) => one.method !== 'get' && !writes.includes(one));
    expect(others.map(({ operationId }) => operationId).sort()).toEqual([
      'batchReadContacts',
      'batchReadLeads',
      'createImport',
      'createToken',
      'lookUpPerson',
      'previewInboundHook',
      'revokeToken',
    ]);
  });

  it('answers as the real request does, and changes nothing: each operation', async () => {
    const url = `${app.url}/sandbox/v1`;
    const credentials = await app.credentials(['read', 'write', 'admin'], 'sandbox');
    const grant = { grant_type: 'client_credentials', ...credentials };
    const { body: granted } = await app.anonymous.at(url).post('/auth/token', grant).expect(200);
    const tried = new Map<string, { status: number; body: string }>();
    const sent = await sendEveryOperation(
      { url, credentials, token: granted.access_token },
      async (id, send) => {
        if (!writes.some(({ operationId }) => operationId === id)) return;
        const before = await everyRow();
        const answer = await send({ 'Dry-Run': 'true' });
        tried.set(id, { status: answer.status, body: masked(await answer.text()) });
        expect(answer.headers.get('Dry-Run'), id).toBe('true');
        expect(await everyRow(), id).toEqual(before);
      },
    );
    // Only a hook with a verify_token answers a challenge.
    const failed = sent.filter(
      ({ status, operationId }) => status >= 300 && operationId !== 'answerHookChallenge',
    );
    expect(failed).toEqual([]);
    expect(sent).toHaveLength(documented.length);
    const real = sent.filter(({ operationId }) => tried.has(operationId));
    expect(real.map(({ operationId }) => operationId).sort()).toEqual(
      writes.map(({ operationId }) => operationId).sort(),
    );
    for (const { operationId, status, body } of real) {
      expect(tried.get(operationId), operationId).toEqual({ status, body: masked(body) });
    }
  });

  it('rejects what the real request would reject, with the same response', async () => {
    const body = { name: 'Ada', email: 'nobody' };
    const refused = await client.post('/leads', body).expect(422);
    const tried = await client.post('/leads', body).set('Dry-Run', 'true').expect(422);
    expect({ ...tried.body, request_id: '' }).toEqual({ ...refused.body, request_id: '' });
    expect(tried.headers).not.toHaveProperty('dry-run');
  });

  it('does not use up an Idempotency-Key, and is not answered from one', async () => {
    const create = () =>
      client.post('/leads', { name: 'Ada', email: 'once@example.com' }).set('Idempotency-Key', 'k');
    await create().set('Dry-Run', 'true').expect(201);
    const created = await create().expect(201);
    expect(created.headers).not.toHaveProperty('dry-run');
    expect(created.headers).not.toHaveProperty('idempotency-replayed');
    await create().set('Dry-Run', 'true').expect(422);
  });

  it('false is the same as leaving it out', async () => {
    const { headers, body } = await client
      .post('/leads', { name: 'Bob', email: 'bob@example.com' })
      .set('Dry-Run', 'false');
    expect(headers).not.toHaveProperty('dry-run');
    await client.get(`/leads/${body.data.id}`).expect(200);
  });

  it.each(['yes', '1'])('%j is a 400', async (value) => {
    const { body } = await client
      .post('/leads', { name: 'Cy', email: 'cy@example.com' })
      .set('Dry-Run', value)
      .expect(400);
    expect(body.errors).toHaveProperty('Dry-Run');
  });

  it('is a 400 where it is not supported', async () => {
    const { body } = await client.post('/auth/revoke', { token: 'a.b.c' }).set('Dry-Run', 'true').expect(400);
    expect(body.errors).toEqual({ 'Dry-Run': [expect.stringContaining('not supported')] });
  });

  it.each(['DryRun', 'X-Dry-Run', 'Dry_Run', 'dryrun', 'Lead-Dry-Run'])(
    'spelt as %s is a 400 that names the header, on whatever changes something',
    async (name) => {
      const email = `${randomUUID()}@example.com`;
      const { id } = (await client.post('/leads', { name: 'Kept', email })).body.data;
      const before = await everyRow();
      const admin = await app.client(['read', 'write', 'admin'], 'sandbox');
      const misspelt = admin.with({ [name]: 'true' });
      const destructive = [
        misspelt.delete(`/leads/${id}`),
        misspelt.post('/leads', { name: 'Grace', email: 'grace@example.com' }),
        misspelt.patch(`/leads/${id}`, { name: 'Lost' }),
        misspelt.post('/erasures', { email }),
        misspelt.post('/bulk-jobs', {
          resource: 'leads',
          filter: {},
          action: { delete: true },
          expected_total: 1,
        }),
        misspelt.post('/sandbox/reset'),
      ];
      for (const answer of await Promise.all(destructive)) {
        expect(answer.status).toBe(400);
        expect(answer.body).toMatchObject({
          code: 'invalid_parameter',
          errors: { [name]: [expect.stringContaining('Dry-Run')] },
        });
      }
      const after = await everyRow();
      expect(after.leads).toEqual(before.leads);
      expect(after.events).toEqual(before.events);
      await misspelt.get('/leads').expect(200);
      await client.with({ 'dry-run': 'true' }).delete(`/leads/${id}`).expect(204).expect('Dry-Run', 'true');
      await client.get(`/leads/${id}`).expect(200);
    },
  );

  it.each(['yes', 'TRUE', '1'])('with the value "%s" is a 400', async (value) => {
    const { id } = (await client.post('/contacts', { name: 'Kept' })).body.data;
    await client.with({ 'Dry-Run': value }).delete(`/contacts/${id}`).expect(400);
    await client.get(`/contacts/${id}`).expect(200);
  });
});
