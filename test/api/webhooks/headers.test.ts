/** Headers that a webhook's receiver asks for. */
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { replaceEncrypted } from '../../../src/db/encrypted.ts';
import { encryptAgain, type SecretKey } from '../../../src/values/secrets.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import {
  deliveriesOf,
  type Receiver,
  startReceiver,
  startTestWorker,
  until,
} from '../../support/deliveries.ts';
import { tracesOfAll } from '../../support/erasure.ts';
import { createLead } from '../../support/factories.ts';
import { expectRefusal, make } from '../../support/resources.ts';
import { webhooks } from '../../support/webhooks.ts';

const VALUE = 'Bearer the-receivers-own-secret';

let app: TestApp;
let client: TestClient;
const lines: string[] = [];

beforeAll(async () => {
  app = await startTestApp({ log: (line) => lines.push(line) });
  client = await app.client(['read', 'write', 'admin']);
});

beforeEach(() => app.production.knex('webhooks').delete());

afterAll(() => app.close());

/** What the receiver of the webhook gets, with this secret key. */
async function receivedBy({ received }: Receiver, secretKey: SecretKey) {
  const worker = startTestWorker({ production: app.production, secretKey });
  await createLead(client);
  await until(() => received.length > 0);
  await worker.stop(5_000);
  return received[0]?.headers;
}

describe('headers', () => {
  it('reach the receiver, beside those of the service, and nobody else', async () => {
    const receiver = await startReceiver((_, res) => void res.writeHead(200).end(`You sent ${VALUE}!`));
    const headers = { Authorization: VALUE, 'X-Tenant': 'a b' };
    const { id } = await make(client, webhooks, { url: receiver.url, headers });
    const sent = await receivedBy(receiver, app.secretKey);
    await receiver.close();
    expect(sent).toMatchObject({
      authorization: VALUE,
      'x-tenant': 'a b',
      'content-type': 'application/json; charset=utf-8',
      'webhook-id': expect.any(String),
      'webhook-signature': expect.any(String),
    });
    const { body } = await client.get(`/webhooks/${id}`).expect(200);
    expect(body.data.header_names).toEqual(['authorization', 'x-tenant']);
    const [delivery] = await until(async () => {
      const all = await deliveriesOf(client, id);
      return all.some(({ status }) => status === 'succeeded') ? all : undefined;
    });
    // The receiver has repeated the value.
    expect(delivery?.attempts[0]?.response_body).toBe('You sent …!');
    const audit = await client.get('/audit-log?per_page=100').expect(200);
    for (const text of [lines.join(), audit.text, JSON.stringify(body)])
      expect(text).not.toContain('receivers-own-secret');
    expect(await tracesOfAll(app, [VALUE])).toEqual([]);
  });

  it('are in no stored answer', async () => {
    const keyed = () => client.with({ 'Idempotency-Key': randomUUID() });
    const { body } = await keyed()
      .post('/webhooks', { ...webhooks.input(), headers: { 'x-key': VALUE } })
      .expect(201);
    await keyed()
      .patch(`/webhooks/${body.data.id}`, { headers: { 'x-other': VALUE } })
      .expect(200);
    const stored = await app.production.knex('idempotency_keys');
    expect(stored).toHaveLength(2);
    expect(JSON.stringify(stored)).not.toContain('receivers-own-secret');
    expect(JSON.stringify(body)).not.toContain('receivers-own-secret');
  });

  it('change one by one with PATCH, whatever their case', async () => {
    const { id } = await make(client, webhooks, { headers: { 'X-One': '1', 'X-Two': '2' } });
    const patch = async (headers: object | null) => {
      const { body } = await client.patch(`/webhooks/${id}`, { headers }).expect(200);
      return [body.data.header_names, body.data.version];
    };
    expect(await patch({ 'x-ONE': '1' })).toEqual([['x-one', 'x-two'], 1]);
    expect(await patch({ 'x-ONE': 'one' })).toEqual([['x-one', 'x-two'], 2]);
    expect(await patch({ 'x-one': null, 'x-three': '3' })).toEqual([['x-two', 'x-three'], 3]);
    expect(await patch({})).toEqual([['x-two', 'x-three'], 3]);
    expect(await patch(null)).toEqual([[], 4]);
  });

  it('are at most ten', async () => {
    const named = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, 'value']));
    await expectRefusal(client.post('/webhooks', { ...webhooks.input(), headers: named(11) }), {
      field: 'headers',
    });
    const { id } = await make(client, webhooks, { headers: named(10) });
    const { message } = await expectRefusal(client.patch(`/webhooks/${id}`, { headers: { more: '1' } }), {
      field: 'headers',
    });
    expect(message).toBe('headers must be at most 10.');
    await client.patch(`/webhooks/${id}`, { headers: { more: '1', 'x-3': null } }).expect(200);
  });

  it.each([
    'Host',
    'content-type',
    'Content-Anything',
    'webhook-id',
    'webhook-signature',
    'traceparent',
    'User-Agent',
    'Connection',
    'keep-alive',
    'Proxy-Authorization',
    'te',
    'Trailer',
    'Transfer-Encoding',
    'upgrade',
    'expect',
    'with space',
    'colon:',
    'naïve',
    'line\r\nbreak',
  ])('can have no %j', async (name) => {
    const headers = { [name]: 'value' };
    await expectRefusal(client.post('/webhooks', { ...webhooks.input(), headers }), {
      field: `headers.${name}`,
    });
  });

  it('need another name each', async () => {
    const headers = { 'x-key': 'a', 'X-Key': 'b' };
    await expectRefusal(client.post('/webhooks', { ...webhooks.input(), headers }), {
      field: 'headers.X-Key',
    });
  });

  it.each(['', ' ', ' before', 'after ', 'naïve', 'line\nbreak', 'tab\tin', 'x'.repeat(1_001), 5])(
    'can have no value %j',
    async (value) => {
      const headers = { 'x-key': value };
      await expectRefusal(client.post('/webhooks', { ...webhooks.input(), headers }), {
        field: 'headers.x-key',
      });
    },
  );

  it('are encrypted again when SECRET_KEY is replaced', async () => {
    const receiver = await startReceiver();
    await make(client, webhooks, { url: receiver.url, headers: { 'x-key': VALUE } });
    const [current] = app.secretKey;
    const next = randomBytes(32);
    const counts = await replaceEncrypted(app.production.db, (value, table) =>
      table === 'webhooks' ? encryptAgain([next, current], value) : undefined,
    );
    expect(counts.webhooks).toBe(2);
    expect(await receivedBy(receiver, [next])).toMatchObject({ 'x-key': VALUE });
    await receiver.close();
  });
});
