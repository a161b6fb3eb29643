import { afterAll, expect, it } from 'vitest';
import { cleanUp, cli, externalDatabases, getToken, startServer } from '../support/process.ts';

afterAll(cleanUp);

it('a rotation says that tokens live on, and --revoke-tokens ends them within a second', async () => {
  const { env, credentials } = await externalDatabases();
  const server = await startServer(env);
  const baseUrl = `${server.url}/v1`;
  const statusOf = async (token: string) =>
    (await fetch(`${baseUrl}/auth/me`, { headers: { Authorization: `Bearer ${token}` } })).status;
  const rotate = (...options: string[]) =>
    cli(env, 'clients', 'rotate-secret', credentials.client_id, '--environment', 'production', ...options);
  const token = await getToken(baseUrl, credentials);
  expect(await statusOf(token)).toBe(200);
  expect((await rotate()).stdout).toMatch(
    /^The client has a new secret, .+ Tokens of the old secret stay valid for up to an hour; --revoke-tokens would have ended them\.\n/,
  );
  expect(await statusOf(token)).toBe(200);
  const { stdout } = await rotate('--revoke-tokens');
  expect(stdout).toMatch(/^The client has a new secret, .+ Its tokens are revoked\.\n/);
  await expect.poll(() => statusOf(token), { timeout: 1_000 }).toBe(401);
  const [, client_secret = ''] = /client_secret +(\S+)/.exec(stdout) ?? [];
  expect(await statusOf(await getToken(baseUrl, { ...credentials, client_secret }))).toBe(200);
  expect(await server.stop()).toBe(0);
});
