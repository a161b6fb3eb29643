/** Signatures over more than the body, as platforms document them. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PUBLIC_URL, startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { formInput, type Hook, leadsOf, makeHook, send } from '../../support/hooks.ts';
import { expectRefusal } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const secret = 'a-secret-of-theirs';
const hmac = (text: string, key = secret) => createHmac('sha256', key).update(text);
const seconds = (offset = 0) => Math.floor(Date.now() / 1000) + offset;

type Headers = Record<string, string>;

async function expectAccepted(hook: Hook, headersOf: (body: string) => Headers): Promise<void> {
  const body = ` {"name": "Ä", "email": "${formInput().email}"}`;
  await send(app, hook, body, headersOf(body)).expect(202);
}

async function expectRefused(hook: Hook, headersOf: (body: string) => Headers): Promise<void> {
  const form = formInput();
  const answer = await send(app, hook, form, headersOf(JSON.stringify(form))).expect(401);
  expect(answer.body.code).toBe('signature_invalid');
  expect(await leadsOf(client, form.email)).toEqual([]);
  expect((await client.get(`${hook.path}/deliveries`)).body.meta.total).toBe(0);
}

describe('a list with a timestamp and signatures, as of Stripe and Calendly', () => {
  const header = 'Calendly-Webhook-Signature';
  const make = (fields: object = {}) =>
    makeHook(client, {
      verification: { type: 'hmac_sha256', header, signed: '{timestamp}.{body}', secret, ...fields },
    });
  const sign = (body: string, at = seconds(), key = secret) => hmac(`${at}.${body}`, key).digest('hex');

  it('is accepted', async () => {
    const hook = await make();
    await expectAccepted(hook, (body) => ({ [header]: `t=${seconds()},v1=${sign(body)}` }));
    await expectAccepted(hook, (body) => ({ [header]: `t=${seconds()}, v1=${sign(body).toUpperCase()}` }));
    await expectAccepted(hook, (body) => ({
      [header]: `t=${seconds()},v0=x,v1=${sign(body, seconds(), 'an-old-secret')},v1=${sign(body)}`,
    }));
  });

  it('is accepted with another name of its signatures, and another tolerance', async () => {
    const hook = await make({ prefix: 's=', tolerance: 3_600 });
    await expectAccepted(hook, (body) => ({
      [header]: `t=${seconds(-3_500)},s=${sign(body, seconds(-3_500))}`,
    }));
  });

  it.each<[string, (body: string) => string]>([
    ['without a signature', () => `t=${seconds()}`],
    ['without a timestamp', (body) => `v1=${sign(body)}`],
    ['that is empty', () => ''],
    ['with another timestamp', (body) => `t=${seconds()},v1=${sign(body, seconds(-10))}`],
    ['that is too old', (body) => `t=${seconds(-310)},v1=${sign(body, seconds(-310))}`],
    ['that is in the future', (body) => `t=${seconds(310)},v1=${sign(body, seconds(310))}`],
    ['with a timestamp that is no number', (body) => `t=now,v1=${hmac(`now.${body}`).digest('hex')}`],
    ['with another secret', (body) => `t=${seconds()},v1=${sign(body, seconds(), 'another-secret')}`],
    ['with the signature under another name', (body) => `t=${seconds()},v0=${sign(body)}`],
    ['of the body alone', (body) => `t=${seconds()},v1=${hmac(body).digest('hex')}`],
    [
      'with the right signature after too many',
      (body) => {
        return `t=${seconds()},${'v1=0,'.repeat(10)}v1=${sign(body)}`;
      },
    ],
  ])('%s is refused', async (_title, headerOf) => {
    await expectRefused(await make(), (body) => ({ [header]: headerOf(body) }));
  });
});

describe('a signature with its timestamp in another header', () => {
  it('is accepted as Webflow makes it, in milliseconds', async () => {
    const hook = await makeHook(client, {
      verification: {
        type: 'hmac_sha256',
        header: 'X-Webflow-Signature',
        timestamp_header: 'X-Webflow-Timestamp',
        signed: '{timestamp}:{body}',
        secret,
      },
    });
    const headers = (at: number) => (body: string) => ({
      'X-Webflow-Timestamp': String(at),
      'X-Webflow-Signature': hmac(`${at}:${body}`).digest('hex'),
    });
    await expectAccepted(hook, headers(Date.now()));
    await expectRefused(await makeHookLike(hook), headers(Date.now() - 301_000));
    await expectRefused(await makeHookLike(hook), (body) => ({
      ...headers(Date.now())(body),
      'X-Webflow-Timestamp': '',
    }));
  });

  it('is accepted as HubSpot makes it, with the method and the URL', async () => {
    const hook = await makeHook(client, {
      verification: {
        type: 'hmac_sha256',
        header: 'X-HubSpot-Signature-v3',
        timestamp_header: 'X-HubSpot-Request-Timestamp',
        signed: '{method}{url}{body}{timestamp}',
        encoding: 'base64',
        secret,
      },
    });
    const headers = (url: string) => (body: string) => {
      const at = Date.now();
      return {
        'X-HubSpot-Request-Timestamp': String(at),
        'X-HubSpot-Signature-v3': hmac(`POST${url}${body}${at}`).digest('base64'),
      };
    };
    await expectAccepted(hook, headers(`${PUBLIC_URL}/v1/hooks/${hook.token}`));
    await expectRefused(await makeHookLike(hook), headers(`${PUBLIC_URL}/v1/hooks/other`));
  });

  /** A hook without deliveries, with the same verification. */
  async function makeHookLike({ path }: Hook): Promise<Hook> {
    const { verification } = (await client.get(path).expect(200)).body.data;
    const { path: _path, ...settings } = verification;
    return makeHook(client, { verification: { ...settings, secret } });
  }
});

it('A signature of a fixed text and the body is accepted, as LinkedIn makes it', async () => {
  const verification = { type: 'hmac_sha256', header: 'X-LI-Signature', signed: 'hmacsha256={body}', secret };
  const hook = await makeHook(client, { verification });
  await expectAccepted(hook, (body) => ({ 'X-LI-Signature': hmac(`hmacsha256=${body}`).digest('hex') }));
  const other = await makeHook(client, { verification });
  await expectRefused(other, (body) => ({ 'X-LI-Signature': hmac(body).digest('hex') }));
});

describe('The settings of signatures', () => {
  const hmacSettings = { type: 'hmac_sha256', header: 'X-Signature', secret };

  it.each<[object, string]>([
    [{ ...hmacSettings, signed: '{timestamp}' }, 'verification.signed'],
    [{ ...hmacSettings, signed: '{body}{host}' }, 'verification.signed'],
    [{ ...hmacSettings, signed: 'é{body}' }, 'verification.signed'],
    [{ ...hmacSettings, tolerance: 60 }, 'verification.tolerance'],
    [{ ...hmacSettings, timestamp_header: 'X-Time' }, 'verification.timestamp_header'],
    [{ ...hmacSettings, signed: '{timestamp}{body}', tolerance: 0 }, 'verification.tolerance'],
    [{ ...hmacSettings, signed: '{timestamp}{body}', tolerance: 86_401 }, 'verification.tolerance'],
    [{ ...hmacSettings, path: '/key' }, 'verification.path'],
    [{ type: 'shared_field', secret }, 'verification.path'],
    [{ type: 'shared_field', path: '/key' }, 'verification.secret'],
    [{ type: 'shared_field', path: 'key', secret }, 'verification.path'],
    [{ type: 'none', signed: '{body}' }, 'verification.signed'],
    [{ type: 'none', verify_token: 'short' }, 'verification.verify_token'],
  ])('%j are refused', async (verification, field) => {
    await expectRefusal(client.post('/inbound-hooks', { name: 'Form', verification }), { field });
  });

  it('are shown without secrets', async () => {
    const timed = { ...hmacSettings, signed: '{timestamp}.{body}', verify_token: 'a-token-of-theirs' };
    const { text, body } = await client
      .post('/inbound-hooks', { name: 'Form', verification: timed })
      .expect(201);
    expect(body.data.verification).toEqual({
      type: 'hmac_sha256',
      header: 'X-Signature',
      encoding: 'hex',
      prefix: null,
      signed: '{timestamp}.{body}',
      timestamp_header: null,
      tolerance: 300,
      path: null,
    });
    expect(text).not.toMatch(/a-secret-of-theirs|a-token-of-theirs/);
  });
});
