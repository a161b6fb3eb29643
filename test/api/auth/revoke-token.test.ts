import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import type { ClientCredentials } from '../../../src/clients/operator.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { forgeToken } from '../../support/tokens.ts';

const FORM = 'application/x-www-form-urlencoded';
const LISTENER = 'lead-pipeline-api listener';

let app: TestApp;
let second: TestApp;
let credentials: ClientCredentials;

beforeAll(async () => {
  app = await startTestApp();
  second = await startTestApp({ beside: app });
});

beforeEach(async () => {
  credentials = await app.credentials();
});

afterAll(async () => {
  await second.close();
  await app.close();
});

async function newToken(of = credentials): Promise<string> {
  const { body } = await app.anonymous
    .post('/auth/token', { grant_type: 'client_credentials', ...of })
    .expect(200);
  return body.access_token;
}

function withToken(token: string, at = app): TestClient {
  return at.anonymous.with({ Authorization: `Bearer ${token}` });
}

/** 200, or the code of the error. */
async function stateOf(token: string, at = app): Promise<number | string> {
  const { status, body } = await withToken(token, at).get('/auth/me');
  return status === 200 ? status : body.code;
}

function revoke(token: string, of = credentials) {
  return app.anonymous.post('/auth/revoke', { token, ...of });
}

describe('POST /auth/revoke', () => {
  it('makes the token useless with the very next request, time after time', async () => {
    for (let round = 0; round < 25; round += 1) {
      const token = await newToken();
      expect(await stateOf(token)).toBe(200);
      const { body, headers } = await revoke(token).expect(200);
      expect(body).toEqual({});
      expect(headers['cache-control']).toBe('no-store');
      expect(await stateOf(token)).toBe('token_revoked');
    }
  });

  it('leaves the client its other tokens', async () => {
    const [token, other] = [await newToken(), await newToken()];
    await revoke(token).expect(200);
    expect(await stateOf(other)).toBe(200);
  });

  it('takes a form, a hint and HTTP Basic', async () => {
    const { client_id, client_secret } = credentials;
    const token = await newToken();
    await app.anonymous
      .post(
        '/auth/revoke',
        new URLSearchParams({ token, token_type_hint: 'refresh_token', x: 'y' }).toString(),
      )
      .type(FORM)
      .set('Authorization', `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`)
      .expect(200);
    expect(await stateOf(token)).toBe('token_revoked');
  });

  it('answers 200 to any token and revokes only the own ones', async () => {
    const foreign = await newToken(await app.credentials());
    const expired = await forgeToken(app.production, app.secretKey, credentials.client_id, {
      claims: { exp: 1 },
    });
    for (const token of [foreign, expired, 'garbage', 'a.b.c', '\u00e4', `${await newToken()}x`]) {
      const { body } = await revoke(token).expect(200);
      expect(body).toEqual({});
    }
    expect(await stateOf(foreign)).toBe(200);
    const own = await newToken();
    await revoke(own).expect(200);
    await revoke(own).expect(200);
  });

  it('rejects wrong credentials and revokes nothing', async () => {
    const token = await newToken();
    const { body } = await revoke(token, { ...credentials, client_secret: 'wrong' }).expect(401);
    expect(body).toMatchObject({ code: 'invalid_client', error: 'invalid_client' });
    expect(await stateOf(token)).toBe(200);
  });

  it('wants the token, 422 in JSON and 400 in a form', async () => {
    const json = await app.anonymous.post('/auth/revoke', { ...credentials }).expect(422);
    const form = new URLSearchParams({ ...credentials }).toString();
    const { body } = await app.anonymous.post('/auth/revoke', form).type(FORM).expect(400);
    for (const answer of [json.body, body]) {
      expect(answer).toMatchObject({ error: 'invalid_request', errors: { token: ['token is required.'] } });
    }
  });
});

describe('a revocation in one process', () => {
  it('is felt in another within a second', async () => {
    const token = await newToken();
    expect(await stateOf(token, second)).toBe(200);
    await revoke(token).expect(200);
    await expect.poll(() => stateOf(token, second), { timeout: 1_000, interval: 20 }).toBe('token_revoked');
  });

  it('takes effect immediately in another process that can no longer listen', async () => {
    const name = new URL(app.databases[0]?.url ?? '').pathname.slice(1);
    const admin = new pg.Client({ connectionString: inject('serverUrl') });
    await admin.connect();
    const tokens = await Promise.all(Array.from({ length: 5 }, () => newToken()));
    for (const token of tokens) expect(await stateOf(token, second)).toBe(200);
    try {
      // No new connections: the listeners stay down until the end of this test, but the pools keep working.
      await admin.query(`alter database ${name} with allow_connections false`);
      const killed = await admin.query(
        'select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = $1 and datname = $2',
        [LISTENER, name],
      );
      expect(killed.rowCount).toBe(2);
      for (const token of tokens) {
        expect(await stateOf(token, second)).toBe(200);
        await revoke(token).expect(200);
        expect(await stateOf(token, second)).toBe('token_revoked');
        expect(await stateOf(token)).toBe('token_revoked');
      }
    } finally {
      await admin.query(`alter database ${name} with allow_connections true`);
      await admin.end();
    }
    await expect.poll(async () => (await listeners()).length, { timeout: 5_000, interval: 50 }).toBe(2);
    for (const token of tokens) expect(await stateOf(token, second)).toBe('token_revoked');
  });

  it('affects a token that is being verified', async () => {
    for (let round = 0; round < 10; round += 1) {
      const token = await newToken();
      await Promise.all([
        revoke(token).expect(200),
        ...Array.from({ length: 8 }, () => stateOf(token)),
        ...Array.from({ length: 8 }, () => stateOf(token, second)),
      ]);
      expect(await stateOf(token)).toBe('token_revoked');
      await expect.poll(() => stateOf(token, second), { timeout: 1_000, interval: 20 }).toBe('token_revoked');
    }
  });
});

async function listeners(): Promise<unknown[]> {
  const { rows } = await app.production.knex.raw(
    'select pid from pg_stat_activity where application_name = ? and datname = current_database()',
    [LISTENER],
  );
  return rows;
}
