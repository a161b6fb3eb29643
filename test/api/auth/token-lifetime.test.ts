import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';

const grant_type = 'client_credentials';
const FORM = 'application/x-www-form-urlencoded';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
});

afterAll(() => app.close());

describe('POST /auth/token with expires_in', () => {
  it.each(['form', 'JSON'])(
    'issues a token with a shorter life in the sandbox, asked by %s',
    async (kind) => {
      const asked = { grant_type, ...(await app.credentials(['read'], 'sandbox')), expires_in: 1 };
      const sandbox = app.anonymous.at(`${app.url}/sandbox/v1`);
      const form = new URLSearchParams({ ...asked, expires_in: '1' });
      const request =
        kind === 'form'
          ? sandbox.post('/auth/token', form.toString()).type(FORM)
          : sandbox.post('/auth/token', asked);
      const { body } = await request.expect(200);
      expect(body.expires_in).toBe(1);
      const { iat, exp } = JSON.parse(Buffer.from(body.access_token.split('.')[1], 'base64url').toString());
      expect(exp - iat).toBe(1);
      const holder = sandbox.with({ Authorization: `Bearer ${body.access_token}` });
      const code = async () => (await holder.get('/leads')).body.code;
      await expect.poll(code, { timeout: 4_000, interval: 50 }).toBe('token_expired');
    },
  );

  it.each([0, -1, 3601, 1.5, '1', null])(
    'refuses a life of %j seconds in the sandbox',
    async (expires_in) => {
      const credentials = await app.credentials(['read'], 'sandbox');
      const { body } = await app.anonymous
        .at(`${app.url}/sandbox/v1`)
        .post('/auth/token', { grant_type, ...credentials, expires_in })
        .expect(422);
      expect(Object.keys(body.errors)).toEqual(['expires_in']);
    },
  );

  it('rejects a shorter lifetime in production', async () => {
    const asked = { grant_type, ...(await app.credentials()), expires_in: 60 };
    const { body } = await app.anonymous.post('/auth/token', asked).expect(422);
    expect(body).toMatchObject({
      code: 'validation_failed',
      error: 'invalid_request',
      errors: { expires_in: ['expires_in can be chosen in the sandbox only; leave it out in production.'] },
    });
    const form = new URLSearchParams({ ...asked, expires_in: '60' });
    await app.anonymous.post('/auth/token', form.toString()).type(FORM).expect(400);
  });

  it.each(['0', '3601', '1.5', '-1', 'soon', '9999999999999999999'])(
    'refuses a life of %s seconds in a form, with the 400 of RFC 6749',
    async (expires_in) => {
      const credentials = await app.credentials(['read'], 'sandbox');
      const form = new URLSearchParams({ grant_type, ...credentials, expires_in });
      const { body } = await app.anonymous
        .at(`${app.url}/sandbox/v1`)
        .post('/auth/token', form.toString())
        .type(FORM)
        .expect(400);
      expect(Object.keys(body.errors)).toEqual(['expires_in']);
    },
  );
});
