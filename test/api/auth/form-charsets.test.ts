/** Apache HttpClient 5 and RestAssured name ISO-8859-1 as the charset of forms, unless told otherwise. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});

afterAll(() => app.close());

const FORM = 'application/x-www-form-urlencoded';

it.each([
  ['iso-8859-1', 200],
  ['ISO-8859-1', 200],
  ['utf-8', 200],
  ['utf-16', 415],
] as const)('POST /auth/token and /auth/revoke answer a form in %s with %i', async (charset, status) => {
  const { client_id, client_secret } = await app.credentials();
  const headers = {
    'Content-Type': `${FORM}; charset=${charset}`,
    Authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}`,
  };
  const post = (path: string, body: string) =>
    fetch(`${app.url}/v1/auth/${path}`, { method: 'POST', headers, body });
  expect((await post('token', 'grant_type=client_credentials')).status).toBe(status);
  expect((await post('revoke', 'token=unknown')).status).toBe(status);
});

it('reads other bytes as that charset, so that they are no fault of the form', async () => {
  const response = await fetch(`${app.url}/v1/auth/token`, {
    method: 'POST',
    headers: { 'Content-Type': `${FORM}; charset=ISO-8859-1` },
    body: Buffer.from('grant_type=M\xfcller', 'latin1'),
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: 'unsupported_grant_type' });
});
