import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { makeHook } from '../../support/hooks.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const verify_token = 'a-token-of-theirs';
const secret = 'a-secret-of-theirs';
const hmac = { type: 'hmac_sha256', header: 'X-Hub-Signature-256', prefix: 'sha256=', secret };

const challenge = (fields: Record<string, string>) =>
  new URLSearchParams({ 'hub.mode': 'subscribe', 'hub.challenge': '1158201444', ...fields }).toString();

describe('GET /hooks/{token}', () => {
  it.each([
    { ...hmac, verify_token },
    { type: 'none', verify_token },
  ])('repeats the challenge of Meta as text: %j', async (verification) => {
    const { token } = await makeHook(client, { verification });
    const { text, headers } = await app.anonymous
      .get(`/hooks/${token}?${challenge({ 'hub.verify_token': verify_token })}`)
      .expect(200);
    expect(text).toBe('1158201444');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it.each<[object | undefined, Record<string, string>]>([
    [{ ...hmac, verify_token }, { 'hub.verify_token': 'another-token' }],
    [{ ...hmac, verify_token }, {}],
    [hmac, { 'hub.verify_token': verify_token }],
    [hmac, { 'hub.verify_token': secret }],
    [undefined, { 'hub.verify_token': verify_token }],
  ])('refuses a wrong token: %j %j', async (verification, fields) => {
    const { token } = await makeHook(client, { verification });
    const { body } = await app.anonymous.get(`/hooks/${token}?${challenge(fields)}`).expect(401);
    expect(body).toMatchObject({
      code: 'signature_invalid',
      message: 'The hub.verify_token is not the one of this hook.',
    });
  });

  it('keeps the token until it is changed or cleared', async () => {
    const hook = await makeHook(client, { verification: { ...hmac, verify_token } });
    const status = async (token: string) =>
      (await app.anonymous.get(`/hooks/${hook.token}?${challenge({ 'hub.verify_token': token })}`)).status;
    await client.patch(hook.path, { verification: { prefix: null } }).expect(200);
    expect(await status(verify_token)).toBe(200);
    await client.patch(hook.path, { verification: { verify_token: 'another-token' } }).expect(200);
    expect([await status(verify_token), await status('another-token')]).toEqual([401, 200]);
    await client.patch(hook.path, { verification: { verify_token: null } }).expect(200);
    expect(await status('another-token')).toBe(401);
  });

  it("signs LinkedIn's challenge with the hook's secret", async () => {
    const { token } = await makeHook(client, { verification: { ...hmac, signed: 'hmacsha256={body}' } });
    const challengeCode = randomUUID();
    const { body } = await app.anonymous
      .get(`/hooks/${token}?challengeCode=${challengeCode}&applicationId=4711`)
      .expect(200);
    const challengeResponse = createHmac('sha256', secret).update(challengeCode).digest('hex');
    expect(body).toEqual({ challengeCode, challengeResponse });
  });

  it('signs nothing else, and only for a hook that has a secret for signatures', async () => {
    const { token } = await makeHook(client, { verification: hmac });
    const { body } = await app.anonymous.get(`/hooks/${token}?challengeCode={"name":"Ada"}`).expect(400);
    expect(body.errors).toEqual({ challengeCode: ['challengeCode must be a UUID.'] });
    const shared = { type: 'shared_header', header: 'X-Secret', secret };
    for (const verification of [undefined, shared]) {
      const other = await makeHook(client, { verification });
      await app.anonymous.get(`/hooks/${other.token}?challengeCode=${randomUUID()}`).expect(401);
    }
  });

  it.each([
    ['', 'hub.challenge'],
    ['?hub.challenge=1&hub.mode=unsubscribe', 'hub.mode'],
    ['?hub.challenge=1', 'hub.mode'],
  ])('explains itself: %j', async (query, field) => {
    const { token } = await makeHook(client);
    const { body } = await app.anonymous.get(`/hooks/${token}${query}`).expect(400);
    expect(Object.keys(body.errors)).toEqual([field]);
  });

  it('is a 404 for a paused hook', async () => {
    const hook = await makeHook(client, { verification: { ...hmac, verify_token } });
    await client.patch(hook.path, { status: 'paused' }).expect(200);
    await app.anonymous
      .get(`/hooks/${hook.token}?${challenge({ 'hub.verify_token': verify_token })}`)
      .expect(404);
  });
});
