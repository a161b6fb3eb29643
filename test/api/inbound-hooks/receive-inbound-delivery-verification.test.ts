import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { formInput, type Hook, leadsOf, makeHook, send } from '../../support/hooks.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const secret = 'a-secret-of-theirs';
const standardSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** Expects a 401 that leaves no lead and no delivery. */
async function expectRefused(hook: Hook, form: { email: string }, headers: Record<string, string>) {
  const answer = await send(app, hook, form, headers).expect(401);
  expect(answer.body.code).toBe('signature_invalid');
  expect(answer.headers['www-authenticate']).toBe('Signature');
  expect(answer.text).not.toContain(secret);
  expect(await leadsOf(client, form.email)).toEqual([]);
  const { body } = await client.get(`${hook.path}/deliveries`).expect(200);
  expect(body.meta.total).toBe(0);
}

const hmac = (body: string, key = secret) => createHmac('sha256', key).update(body);

describe('A hook with hmac_sha256', () => {
  const header = 'X-Hub-Signature-256';
  const verification = { type: 'hmac_sha256', header, secret };

  it.each([
    [{ encoding: 'hex', prefix: 'sha256=' }, (body: string) => `sha256=${hmac(body).digest('hex')}`],
    [
      { encoding: 'hex', prefix: 'sha256=' },
      (body: string) => `sha256=${hmac(body).digest('hex').toUpperCase()}`,
    ],
    [{ encoding: 'base64' }, (body: string) => hmac(body).digest('base64')],
    [{}, (body: string) => hmac(body).digest('hex')],
  ])('accepts a signed body, byte for byte: %j', async (how, sign) => {
    const hook = await makeHook(client, { verification: { ...verification, ...how } });
    const body = ` { "name":"Ä", "email":"${formInput().email}" } `;
    await send(app, hook, body, { [header]: sign(body) }).expect(202);
  });

  it.each([
    ['no signature', () => ({})],
    ['an empty signature', () => ({ [header]: '' })],
    [
      "another secret's signature",
      (body: string) => ({ [header]: `sha256=${hmac(body, 'other').digest('hex')}` }),
    ],
    ["another body's signature", () => ({ [header]: `sha256=${hmac('{}').digest('hex')}` })],
    ['a signature without the prefix', (body: string) => ({ [header]: hmac(body).digest('hex') })],
    [
      'a signature in another encoding',
      (body: string) => ({ [header]: `sha256=${hmac(body).digest('base64')}` }),
    ],
    [
      'part of the signature',
      (body: string) => ({ [header]: `sha256=${hmac(body).digest('hex').slice(0, 32)}` }),
    ],
    [
      'a signature in another header',
      (body: string) => ({ 'X-Other': `sha256=${hmac(body).digest('hex')}` }),
    ],
  ] as [string, (body: string) => Record<string, string>][])('rejects %s', async (_what, headersOf) => {
    const hook = await makeHook(client, { verification: { ...verification, prefix: 'sha256=' } });
    const form = formInput();
    await expectRefused(hook, form, headersOf(JSON.stringify(form)));
  });
});

describe('A hook with standard_webhooks', () => {
  const verification = { type: 'standard_webhooks', secret: standardSecret };

  const signed = (body: string, at = new Date(), key = standardSecret) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(key).sign('msg_1', at, body),
  });

  it('accepts JSON and forms that the Standard Webhooks library has signed', async () => {
    const json = await makeHook(client, { verification });
    const form = formInput();
    await send(app, json, form, signed(JSON.stringify(form))).expect(202);
    const hook = await makeHook(client, { verification });
    const text = new URLSearchParams({ ...formInput() }).toString();
    await send(app, hook, text, signed(text)).type('application/x-www-form-urlencoded').expect(202);
  });

  it('accepts one valid signature among several, as after a rotation', async () => {
    const hook = await makeHook(client, { verification });
    const form = formInput();
    const headers = signed(JSON.stringify(form));
    const several = `v1a,xyz v1,${'A'.repeat(43)}= ${headers['webhook-signature']}`;
    await send(app, hook, form, { ...headers, 'webhook-signature': several }).expect(202);
  });

  it.each([
    ['a missing signature', () => ({})],
    ['another secret', (body: string) => signed(body, new Date(), 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')],
    ['another body', () => signed('{}')],
    ['an old timestamp', (body: string) => signed(body, new Date(Date.now() - 6 * 60_000))],
    ['a timestamp in the future', (body: string) => signed(body, new Date(Date.now() + 6 * 60_000))],
    ['another id', (body: string) => ({ ...signed(body), 'webhook-id': 'msg_2' })],
    ['a broken signature', (body: string) => ({ ...signed(body), 'webhook-signature': 'v1' })],
  ] as [string, (body: string) => Record<string, string>][])('rejects %s', async (_what, headersOf) => {
    const hook = await makeHook(client, { verification });
    const form = formInput();
    await expectRefused(hook, form, headersOf(JSON.stringify(form)));
  });
});

describe('A hook with shared_header', () => {
  const verification = { type: 'shared_header', header: 'X-Token', secret };

  it('accepts a request with the secret', async () => {
    const hook = await makeHook(client, { verification });
    await send(app, hook, formInput(), { 'x-token': secret }).expect(202);
  });

  it.each([
    {},
    { 'X-Token': '' },
    { 'X-Token': 'other' },
    { 'X-Token': secret.toUpperCase() },
    { 'X-Other': secret },
  ])('rejects %j', async (headers) => {
    const hook = await makeHook(client, { verification });
    await expectRefused(hook, formInput(), headers as Record<string, string>);
  });
});
