import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { decrypt } from '../../../src/values/secrets.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { readDocument } from '../../support/document.ts';
import { expectRefusal, make } from '../../support/resources.ts';
import { webhooks } from '../../support/webhooks.ts';

const all = { filter: null, changed: null, exclude_own: false, exclude_actor_ids: [], header_names: [] };

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true, allowPrivateTargets: false });
  client = await app.client();
});

beforeEach(() => app.production.knex('webhooks').delete());

afterAll(() => app.close());

describe('POST /webhooks', () => {
  it('answers 201 with the webhook, its Location, its ETag and, only this once, its secret', async () => {
    const { body, headers } = await client.post('/webhooks', webhooks.input()).expect(201);
    const { secret, ...shown } = body.data;
    expect(shown).toEqual({
      id: expect.stringMatching(/^webhook_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      client_id: (await client.get('/auth/me').expect(200)).body.data.client_id,
      url: 'https://example.com/hooks',
      description: null,
      event_types: ['*'],
      ...all,
      status: 'enabled',
      retry_schedule: 'standard',
      disabled_reason: null,
      last_success_at: null,
      failing_since: null,
      last_failing_since: null,
      created_at: expect.any(String),
      updated_at: shown.created_at,
      version: 1,
    });
    expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
    expect(headers).toMatchObject({
      location: `https://api.test/v1/webhooks/${shown.id}`,
      etag: '"1"',
      'cache-control': 'no-store',
    });
    const read = await client.get(`/webhooks/${shown.id}`).expect(200);
    expect(read.body.data).toEqual(shown);
  });

  it('accepts the fast retry schedule in the sandbox, and rejects it in production', async () => {
    const sandbox = await app.client(undefined, 'sandbox');
    const created = await make(sandbox, webhooks, { retry_schedule: 'fast' });
    expect(created.retry_schedule).toBe('fast');
    const inProduction = client.post('/webhooks', { ...webhooks.input(), retry_schedule: 'fast' });
    const { message } = await expectRefusal(inProduction, { field: 'retry_schedule' });
    expect(message).toBe('retry_schedule can be fast in the sandbox only.');
    expect((await make(client, webhooks, { retry_schedule: 'standard' })).retry_schedule).toBe('standard');
  });

  it('accepts a description and a status, and removes repeated event types', async () => {
    const created = await make(client, webhooks, {
      description: 'The CRM',
      status: 'paused',
      event_types: ['lead.deleted', 'lead.created', 'lead.deleted'],
    });
    expect(created).toMatchObject({
      description: 'The CRM',
      status: 'paused',
      event_types: ['lead.deleted', 'lead.created'],
    });
  });

  it('accepts every event type', async () => {
    const types = readDocument().components.schemas.EventType?.enum;
    const created = await make(client, webhooks, { event_types: types });
    expect(created.event_types).toEqual(types);
  });

  it('stores the secret encrypted', async () => {
    const { secret } = await make(client, webhooks);
    const row = await app.production.knex('webhooks').first();
    expect(decrypt(app.secretKey, row?.encrypted_secret ?? Buffer.alloc(0))).toBe(secret);
  });

  it.each(webhooks.required)('rejects a body without %s', async (field) => {
    const { [field]: _left, ...input } = webhooks.input();
    await expectRefusal(client.post('/webhooks', input), { field });
  });

  it.each([
    'id',
    'secret',
    'disabled_reason',
    'last_success_at',
    'failing_since',
    'last_failing_since',
    'version',
    'colour',
  ])('rejects %s, which is read-only or unknown', async (field) => {
    await expectRefusal(client.post('/webhooks', { ...webhooks.input(), [field]: 'x' }), { field });
  });

  it.each([
    ['http, without encryption', 'http://example.com/hooks'],
    ['another scheme', 'file:///etc/passwd'],
    ['a relative URL', '/hooks'],
    ['a text that is not a URL', 'example'],
    ['an empty text', ''],
    ['more than 2,048 characters', `https://example.com/${'a'.repeat(2048)}`],
    ['NUL', 'https://example.com/\u0000'],
    ['credentials', 'https://user:password@example.com/hooks'],
    ['loopback', 'http://127.0.0.1'],
    ['loopback, over https', 'https://127.0.0.1'],
    ['loopback of IPv6', 'http://[::1]'],
    ['loopback by name', 'https://localhost/hooks'],
    ['cloud metadata', 'http://169.254.169.254'],
    ['zero', 'http://0'],
    ['a number', 'http://2130706433'],
    ['a number, over https', 'https://2130706433'],
    ['octal digits', 'https://0177.0.0.1'],
    ['IPv4 in IPv6', 'https://[::ffff:127.0.0.1]'],
    ['a private network', 'http://10.1.2.3'],
    ['a private network, over https', 'https://10.1.2.3/hooks'],
    ['a private network of IPv6', 'https://[fd00::1]/hooks'],
    ['a private network, by name', 'https://hooks.corp.internal/'],
    ["Azure's metadata", 'https://168.63.129.16/'],
    ['a single label', 'https://intranet'],
    ['a single label with a dot', 'https://intranet.:8443/hooks'],
    ['an empty label', 'https://hooks..example.com'],
    ['port 0', 'https://example.com:0/hooks'],
    ['a port too high', 'https://example.com:65536/hooks'],
    ['a bracket', 'https://example.com/?a[]=1'],
    ['a backslash', 'https://example.com\\hooks'],
    ['a percent sign alone', 'https://example.com/100%'],
    ['an international name', 'https://ex\u00e4mple.com/'],
    ['two fragments', 'https://example.com/#a#b'],
    ['no host', 'https:///hooks'],
    ['an empty user name', 'https://@example.com'],
  ])('rejects an invalid or forbidden url (%s): %s', async (_, url) => {
    const { errors } = await expectRefusal(client.post('/webhooks', { ...webhooks.input(), url }), {
      field: 'url',
    });
    expect(errors?.url?.[0]).toMatch(/must|not/);
  });

  it.each([
    ...['\t', '\n', '\r', '\v', '\f', ' ', '\u0001', '\u001f', '\u007f', '\u0085', '\u009f'],
    ...[
      '\u00a0',
      '\u00ad',
      '\u1680',
      '\u2003',
      '\u2028',
      '\u200b',
      '\u200f',
      '\u202e',
      '\u2066',
      '\u3000',
      '\ufeff',
    ],
  ])('rejects white space and control characters anywhere in the url: %j', async (character) => {
    const made = await make(client, webhooks);
    for (const url of [
      `${character}https://example.com/hooks`,
      `ht${character}tps://example.com/hooks`,
      `https://exam${character}ple.com/hooks`,
      `https://example.com/ho${character}oks?a=b`,
      `https://example.com/hooks?a=${character}b#c`,
      `https://example.com/hooks${character}`,
    ]) {
      for (const write of [
        client.post('/webhooks', { ...webhooks.input(), url }),
        client.patch(`/webhooks/${made.id}`, { url }),
      ]) {
        const { errors } = await expectRefusal(write, { field: 'url' });
        expect(errors?.url?.[0]).toContain('without white space or control characters');
      }
    }
  });

  it.each([
    'https://xn--exmple-cua.com/',
    'https://8.8.8.8:65535/hooks',
    'https://[2606:4700::1111]:1/hooks',
    "https://hooks_1.example.com./a//b/%20;x=(1)*!$&',?q=/?@:#fragment?/",
    'https://example.com:?',
  ])('accepts %s and returns it unchanged', async (url) => {
    const { id } = await make(client, webhooks, { url });
    const { body } = await client.get(`/webhooks/${id}`).expect(200);
    expect(body.data.url).toBe(url);
  });

  it.each([
    ['an empty list', []],
    ['an unknown type', ['lead.sold']],
    ['* with other types', ['*', 'lead.created']],
    ['a text', 'lead.created'],
    ['null', null],
  ])('rejects %s as event_types', async (_, eventTypes) => {
    const answer = await client.post('/webhooks', { ...webhooks.input(), event_types: eventTypes });
    expect([answer.status, answer.body.code]).toEqual([422, 'validation_failed']);
    expect(Object.keys(answer.body.errors).join()).toMatch(/^event_types(\.\d)?$/);
  });

  it.each(['disabled', 'off', null])('rejects the status %j', async (status) => {
    await expectRefusal(client.post('/webhooks', { ...webhooks.input(), status }), { field: 'status' });
  });

  it('allows 20, even with concurrent requests, and another one when one is deleted', async () => {
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => client.post('/webhooks', webhooks.input())),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    const refusal = { field: 'webhooks', code: 'webhook_limit_reached' };
    await expectRefusal(client.post('/webhooks', webhooks.input()), refusal);
    const [first] = answers.filter(({ status }) => status === 201);
    await client.delete(`/webhooks/${first?.body.data.id}`).expect(204);
    await client.post('/webhooks', webhooks.input()).expect(201);
  });

  it('counts each environment separately', async () => {
    for (let made = 0; made < 20; made += 1) await make(client, webhooks);
    await make(await app.client(['write'], 'sandbox'), webhooks);
  });

  it('returns the same secret when it is repeated with its Idempotency-Key, and stores it encrypted', async () => {
    const keyed = client.with({ 'Idempotency-Key': randomUUID() });
    const first = await keyed.post('/webhooks', webhooks.input()).expect(201);
    const second = await keyed.post('/webhooks', webhooks.input()).expect(201);
    expect(second.headers).toMatchObject({ 'idempotency-replayed': 'true', 'cache-control': 'no-store' });
    expect(second.body).toEqual(first.body);
    const rows = await app.production
      .knex('idempotency_keys')
      .where({ key: keyed.headers['Idempotency-Key'] });
    expect(rows).toMatchObject([{ status: 201, body: null, sealed_body: expect.any(Buffer) }]);
    const { rows: texts } = await app.production.knex.raw('select t::text as text from idempotency_keys t');
    const hex = Buffer.from(first.body.data.secret).toString('hex');
    for (const { text } of texts) {
      expect(text).not.toContain(first.body.data.secret);
      expect(text).not.toContain(hex);
    }
    expect(await app.production.knex('webhooks').select('id')).toHaveLength(1);
  });
});
