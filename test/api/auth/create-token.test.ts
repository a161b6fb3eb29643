import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { disableClient } from '../../../src/clients/operator.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';

const grant_type = 'client_credentials';
const FORM = 'application/x-www-form-urlencoded';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});

afterAll(() => app.close());

function basic(id: string, secret: string): string {
  return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
}

function percentEncoded(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

describe('POST /auth/token', () => {
  it('exchanges credentials in JSON for a token that works', async () => {
    const credentials = await app.credentials();
    const { body, headers } = await app.anonymous
      .post('/auth/token', { grant_type, ...credentials })
      .expect(200);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'read write',
    });
    expect(headers['cache-control']).toBe('no-store');
    await app.anonymous
      .with({ Authorization: `Bearer ${body.access_token}` })
      .get('/leads')
      .expect(200);
  });

  it('takes a form', async () => {
    const form = new URLSearchParams({
      grant_type,
      ...(await app.credentials()),
      audience: 'ignored',
      scope: '',
    });
    const { body } = await app.anonymous.post('/auth/token', form.toString()).type(FORM).expect(200);
    expect(body.scope).toBe('read write');
  });

  it.each(['form', 'JSON'])('takes the credentials by HTTP Basic beside a %s', async (kind) => {
    const { client_id, client_secret } = await app.credentials();
    const sent = kind === 'form' ? `grant_type=${grant_type}` : JSON.stringify({ grant_type });
    const type = kind === 'form' ? FORM : 'application/json';
    for (const header of [
      basic(client_id, client_secret),
      basic(percentEncoded(client_id), percentEncoded(client_secret)),
      basic(client_id, client_secret).replace('Basic', 'basic '),
    ]) {
      const request = app.anonymous.post('/auth/token', sent).type(type);
      await request.set('Authorization', header).expect(200);
    }
  });

  it('narrows the token to the scopes that are asked for', async () => {
    const credentials = await app.credentials(['leads:read', 'write']);
    const exchange = (scope: string) =>
      app.anonymous.post('/auth/token', { grant_type, ...credentials, scope });
    expect((await exchange('leads:read').expect(200)).body.scope).toBe('leads:read');
    const { body } = await exchange('leads:write  contacts:write leads:write').expect(200);
    expect(body.scope).toBe('leads:write contacts:write');
    const narrow = app.anonymous.with({ Authorization: `Bearer ${body.access_token}` });
    await narrow.get('/leads').expect(403);
    expect((await narrow.post('/leads', {}).expect(422)).body.errors).toHaveProperty('name');
  });

  it.each(['root', 'leads:read read', 'contacts:read', 'leads:Read', 'leads:read,write'])(
    'refuses the scope %s of a client that has leads:read and write',
    async (scope) => {
      const credentials = await app.credentials(['leads:read', 'write']);
      const json = await app.anonymous.post('/auth/token', { grant_type, ...credentials, scope }).expect(422);
      expect(json.body).toMatchObject({
        code: 'invalid_scope',
        error: 'invalid_scope',
        errors: { scope: [expect.stringMatching(/./)] },
      });
      const form = new URLSearchParams({ grant_type, ...credentials, scope }).toString();
      const { body } = await app.anonymous.post('/auth/token', form).type(FORM).expect(400);
      expect(body).toMatchObject({ code: 'invalid_scope', error: 'invalid_scope' });
    },
  );

  it('returns the same error for an unknown client, a wrong secret and a disabled client', async () => {
    const { client_id, client_secret } = await app.credentials();
    const other = await app.credentials();
    const disabled = await app.credentials();
    await disableClient(app.production, disabled.client_id);
    const bodies = await Promise.all(
      [
        { client_id, client_secret: other.client_secret },
        { client_id: 'client_01h455vb4pex5vsknk084sn02q', client_secret },
        { client_id: 'nobody', client_secret },
        { client_id: 'a\u0001', client_secret: '\u00e4' },
        { client_id, client_secret: `${client_secret} ` },
        disabled,
      ].map(async (wrong) => {
        const { body, headers } = await app.anonymous
          .post('/auth/token', { grant_type, ...wrong })
          .expect(401);
        expect(headers['cache-control']).toBe('no-store');
        expect(headers).not.toHaveProperty('www-authenticate');
        expect(body.request_id).toBe(headers['x-request-id']);
        return { ...body, request_id: '' };
      }),
    );
    expect(bodies[0]).toMatchObject({
      code: 'invalid_client',
      error: 'invalid_client',
      message: expect.any(String),
      error_description: expect.any(String),
    });
    for (const body of bodies) expect(body).toEqual(bodies[0]);
  });

  it.each(['token', 'revoke'])(
    'sends a challenge only to clients that used HTTP Basic: /auth/%s',
    async (path) => {
      const { client_id } = await app.credentials();
      const fields: Record<string, string> = path === 'token' ? { grant_type } : { token: 'x' };
      const wrong = { ...fields, client_id, client_secret: 'wrong' };
      const ask = (body: object) => app.anonymous.post(`/auth/${path}`, body);
      const inBody = [
        ask(wrong),
        ask(wrong).set('Authorization', 'Bearer a.b.c'),
        app.anonymous.post(`/auth/${path}`, new URLSearchParams(wrong).toString()).type(FORM),
      ];
      for (const { status, body, headers } of await Promise.all(inBody)) {
        expect([status, body.error]).toEqual([401, 'invalid_client']);
        expect(headers).not.toHaveProperty('www-authenticate');
      }
      const byBasic = [
        ask(fields),
        ask(wrong),
        app.anonymous.post(`/auth/${path}`, new URLSearchParams(fields).toString()).type(FORM),
      ].map((request) => request.set('Authorization', basic(client_id, 'wrong')));
      for (const { status, body, headers } of await Promise.all(byBasic)) {
        expect([status, body.error]).toEqual([401, 'invalid_client']);
        expect(headers['www-authenticate']).toBe('Basic realm="https://api.test/v1", charset="UTF-8"');
      }
    },
  );

  it.each([
    ['no client_id', { grant_type, client_secret: 'x' }, 'client_id', 'invalid_request'],
    ['no client_secret', { grant_type, client_id: 'x' }, 'client_secret', 'invalid_request'],
    ['no grant_type', { client_id: 'x', client_secret: 'x' }, 'grant_type', 'invalid_request'],
    [
      'another grant',
      { grant_type: 'password', client_id: 'x', client_secret: 'x' },
      'grant_type',
      'unsupported_grant_type',
    ],
    ['nothing', {}, 'grant_type', 'invalid_request'],
  ])(
    'names the field that is wrong, 422 in JSON and 400 in a form: %s',
    async (_what, fields, field, error) => {
      const description = /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/;
      const json = await app.anonymous.post('/auth/token', fields).expect(422);
      const form = await app.anonymous
        .post('/auth/token', `x=1&${new URLSearchParams(fields as Record<string, string>)}`)
        .type(FORM)
        .expect(400);
      for (const { body } of [json, form]) {
        expect(body).toMatchObject({
          code: 'validation_failed',
          error,
          error_description: expect.stringMatching(description),
        });
        expect(body.errors[field]).toEqual([expect.any(String)]);
      }
    },
  );

  it('rejects wrong types in JSON', async () => {
    const { body } = await app.anonymous
      .post('/auth/token', { grant_type, client_id: 7, client_secret: [], expires_in: '60' })
      .expect(422);
    expect(Object.keys(body.errors).sort()).toEqual(['client_id', 'client_secret', 'expires_in']);
  });

  it('answers the request of a library that also sends an audience (case 64)', async () => {
    const sample = JSON.parse(await readFile('test/cases/64-token-with-audience.json', 'utf8'));
    const body = { ...sample, ...(await app.credentials()) };
    const token = await app.anonymous.post('/auth/token', body).expect(200);
    await app.anonymous.get('/leads').set('Authorization', `Bearer ${token.body.access_token}`).expect(200);
  });

  it('ignores unknown fields in JSON, as in a form', async () => {
    const grant = { grant_type, ...(await app.credentials()) };
    const unknown = { audience: 'x', resource: ['y'], __proto__: {}, nested: { scope: 'admin' } };
    const { body } = await app.anonymous.post('/auth/token', { ...grant, ...unknown }).expect(200);
    expect(body.scope).toBe('read write');
  });

  it.each(['text/html', 'application/xml;q=0.9', 'application/json;q=0', '', 'x'])(
    'answers in JSON whatever Accept says: %j',
    async (accept) => {
      const grant = { grant_type, ...(await app.credentials()) };
      const { type } = await app.anonymous.post('/auth/token', grant).set('Accept', accept).expect(200);
      expect(type).toBe('application/json');
    },
  );

  it('rejects a form that repeats a parameter', async () => {
    const { client_id, client_secret } = await app.credentials();
    const form = `grant_type=${grant_type}&client_id=${client_id}&client_id=${client_id}&client_secret=${client_secret}`;
    const { body } = await app.anonymous.post('/auth/token', form).type(FORM).expect(400);
    expect(body.errors).toHaveProperty('client_id');
  });

  it.each([
    [400, () => app.anonymous.post('/auth/token', '{')],
    [404, () => app.anonymous.post('/auth/nothing', {})],
    [405, () => app.anonymous.get('/auth/token')],
    [413, () => app.anonymous.post('/auth/token', JSON.stringify({ client_id: 'x'.repeat(300_000) }))],
    [414, () => app.anonymous.post(`/auth/token?${'x'.repeat(8192)}`, {})],
    [415, () => app.anonymous.post('/auth/token', '{}').type('text/plain')],
    [401, () => app.anonymous.get('/auth/me')],
  ])('carries error and error_description on a %i as well', async (status, send) => {
    const { body } = await send().expect(status);
    expect(body).toMatchObject({
      message: expect.any(String),
      code: expect.any(String),
      error: expect.any(String),
    });
    expect(body.error_description).toMatch(/./);
  });
});
