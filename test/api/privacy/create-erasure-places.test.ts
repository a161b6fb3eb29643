/** What POST /erasures does to a person's data outside of leads and contacts. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toUuid } from '../../../src/values/id.ts';
import { allScopes, startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { someone, traces } from '../../support/erasure.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { leadsOf, makeHook, readDelivery, send, sendIn } from '../../support/hooks.ts';
import { csv, errorsOf, readImport, send as sendFile } from '../../support/imports.ts';
import { runJobs } from '../../support/jobs.ts';
import { leads, make } from '../../support/resources.ts';
import { insertAttempt, insertDelivery, webhooks } from '../../support/webhooks.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client(allScopes);
});

afterAll(() => app.close());

const keyed = () => client.with({ 'Idempotency-Key': randomUUID() });

async function erase(email: string, more: object = {}) {
  const { body } = await client.post('/erasures', { email, ...more }).expect(201);
  return body.data;
}

describe('the places that a person is in', () => {
  it('names the webhooks that received events, and removes their responses', async () => {
    const { mark, fields } = someone();
    const lead = await make(client, leads, fields);
    const { knex } = app.production;
    const { id: webhook } = await make(client, webhooks, { status: 'paused' });
    const about = { resource_id: toUuid('lead', lead.id), status: 'succeeded' as const };
    for (const status of ['succeeded', 'succeeded', 'failed'] as const) {
      const delivery = await insertDelivery(knex, webhook, { ...about, status });
      await insertAttempt(knex, delivery, { response_body: `Hello ${mark}` });
    }
    expect(await erase(fields.email)).toMatchObject({
      counts: { webhook_responses: 3 },
      receivers: [{ webhook_id: webhook, deliveries: 2 }],
    });
    expect(await traces(app, mark)).toEqual([]);
  });

  it('erases data received by a hook, which can not be replayed, but can be sent again', async () => {
    const { mark, fields } = someone();
    const hook = await makeHook(client);
    const payload = { ...fields, note: mark };
    const { delivery_id, status } = await sendIn(app, hook, payload);
    expect(status).toBe('created');
    expect((await erase(fields.email)).counts).toMatchObject({ leads: 1, inbound_deliveries: 1 });
    expect(await traces(app, mark)).toEqual([]);
    const keys = await app.production.knex('inbound_deliveries').whereNotNull('dedupe_key').select('id');
    expect(keys).toEqual([]);
    expect((await readDelivery(client, hook, delivery_id)).payload).toBeNull();
    const replay = await client.post(`${hook.path}/deliveries/${delivery_id}/reprocess`).expect(409);
    expect(replay.body.code).toBe('payload_erased');
    const again = await send(app, hook, payload).expect(202);
    expect(again.body.data.status).toBe('created');
    expect(again.body.data.delivery_id).not.toBe(delivery_id);
    await erase(fields.email);
    expect(await traces(app, mark)).toEqual([]);
  });

  it('is not brought back by a draft, even if there was no lead', async () => {
    const email = uniqueEmail();
    const draft = await sendFile(
      client,
      csv('name,email', `Ada,${email}`, `Bob,${uniqueEmail()}`),
      'start=false',
    );
    await erase(email);
    await client.post(`/imports/${draft.id}/start`, {}).expect(202);
    await runJobs(app.production);
    expect(await readImport(client, draft.id)).toMatchObject({ counts: { created: 1, failed: 1 } });
    expect(await errorsOf(client, draft.id)).toMatchObject([{ row: 2, code: 'payload_erased' }]);
    expect(await leadsOf(client, email)).toEqual([]);
  });

  it('leaves no digest of a request, and a repetition gets the erased answer', async () => {
    const { fields } = someone();
    const key = `create-${fields.email}`;
    const once = keyed();
    await client.with({ 'Idempotency-Key': key }).post('/leads', fields).expect(201);
    await once.patch(`/leads/${(await leadsOf(client, fields.email))[0]?.id}`, { name: 'Ada' }).expect(200);
    await erase(fields.email);
    expect(await traces(app, fields.email)).toEqual([]);
    const again = await once.patch('/leads/lead_01m7w4n5e0e4b8h6v0k2d9s3jq', { name: 'Ada' }).expect(200);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body.data).toMatchObject({ name: 'Erased' });
  });
});

describe('an Idempotency-Key with the address', () => {
  it.each([
    ['as it is', (email: string) => `note-for-${email}-1`],
    ['in a URL', (email: string) => `https://example.com/?to=${encodeURIComponent(email)}`],
  ])('is erased from a request about somebody else: %s', async (_how, keyOf) => {
    const { mark, fields } = someone();
    const lead = await make(client, leads);
    const once = client.with({ 'Idempotency-Key': keyOf(fields.email) });
    const other = client.with({ 'Idempotency-Key': `other-${uniqueEmail()}` });
    const write = (as: TestClient) => as.post('/notes', { lead_id: lead.id, text: 'Called' }).expect(201);
    await write(once);
    await write(other);
    await erase(fields.email);
    expect(await traces(app, mark)).toEqual([]);
    expect((await write(other)).headers['idempotency-replayed']).toBe('true');
  });
});

describe('a lead that was merged into another one', () => {
  it.each(['stays', 'other'] as const)(
    'is erased by the address of the one that is the %s',
    async (known) => {
      const { mark, fields } = someone();
      const stays = await make(client, leads, { name: fields.name, email: `a-${fields.email}` });
      const texts = { external_id: `other-${mark}`, company: `Company ${mark}`, phone: fields.phone };
      const other = await make(client, leads, { name: fields.name, email: `b-${fields.email}`, ...texts });
      await client.patch(`/leads/${other.id}`, { email: `c-${fields.email}` }).expect(200);
      await client.post('/notes', { lead_id: other.id, text: `About ${mark}` }).expect(201);
      await keyed().post(`/leads/${stays.id}/merge`, { lead_id: other.id }).expect(200);
      const email = { stays: `a-${fields.email}`, other: `c-${fields.email}` }[known];
      const person = await client.post('/people/lookup', { email }).expect(200);
      expect(person.body.data.leads).toMatchObject([{ id: stays.id }]);
      expect((await erase(email)).counts).toMatchObject({ leads: 1, notes: 1 });
      expect(await traces(app, mark)).toEqual([]);
      expect(await traces(app, fields.phone)).toEqual([]);
      await client.get(`/leads/${other.id}`).expect(404);
    },
  );

  it('is named if it had the address before', async () => {
    const email = uniqueEmail();
    const stays = await make(client, leads);
    const other = await make(client, leads, { email });
    await client.patch(`/leads/${other.id}`, { email: uniqueEmail() }).expect(200);
    await client.post(`/leads/${stays.id}/merge`, { lead_id: other.id }).expect(200);
    const erasure = await erase(email);
    expect(erasure).toMatchObject({ former: [stays.id], counts: { leads: 0 } });
    await client.get(`/leads/${stays.id}`).expect(200);
    expect(await traces(app, email)).toEqual([]);
  });
});
