import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { disableClient, issueApiKey, registerClient } from '../../src/clients/operator.ts';
import {
  asOperator,
  cleanUp,
  cli,
  cliJson,
  credentialsOf,
  getToken,
  postmaster,
  preparedDataDir,
  type RunningServer,
  startServer,
} from '../support/process.ts';

afterAll(cleanUp);

vi.setConfig({ testTimeout: 120_000 });

type Client = { client_id: string; client_secret: string };
type Key = { key_id: string; api_key: string; last_used_at: string | null };
const sandbox = ['--environment', 'sandbox'];

const env = { DATA_DIR: preparedDataDir(), RATE_LIMIT_ANONYMOUS: '100000' };
let early: Client;
/** Pid of the database server, if the first command left it running. */
let left: number | undefined;
let server: RunningServer;
let baseUrl: string;
let databaseUrl: string;

beforeAll(async () => {
  early = await cliJson<Client>(env, 'clients', 'create', ...sandbox, '--name', 'Early bird');
  left = postmaster(env.DATA_DIR);
  server = await startServer(env);
  baseUrl = `${server.url}/sandbox/v1`;
  databaseUrl = (await cliJson(env, 'data', 'url', ...sandbox)).url ?? '';
});

it('while the service is stopped, a command works on its databases and leaves no server running', async () => {
  expect(left).toBeUndefined();
  expect(await getToken(baseUrl, early)).toBeTruthy();
});

describe('while the server runs', () => {
  /** Runs a command's action in the sandbox. */
  const act = <Result>(action: (place: Parameters<typeof registerClient>[0]) => Promise<Result>) =>
    asOperator(databaseUrl, (place) => action({ ...place, environment: 'sandbox' }));

  const newClient = (...scopes: string[]) =>
    act((place) => registerClient(place, { name: 'Website', scopes }));

  const me = (headers: Record<string, string>) => fetch(`${baseUrl}/auth/me`, { headers });

  /** Waits up to a second until these headers get a 401. Returns its code. */
  async function refusal(headers: Record<string, string>): Promise<unknown> {
    const deadline = performance.now() + 1000;
    for (;;) {
      const response = await me(headers);
      if (response.status === 401) return ((await response.json()) as { code: string }).code;
      if (performance.now() > deadline) return `still ${response.status}`;
      await sleep(20);
    }
  }

  it('a client can be created, listed, disabled and enabled; disabling it revokes its tokens', async () => {
    const client = await cliJson<Client>(
      env,
      ...['clients', 'create', ...sandbox, '--name', 'Website', '--scopes', 'leads:read analytics:read'],
    );
    expect(client).toEqual({
      client_id: expect.stringMatching(/^client_/),
      client_secret: expect.stringMatching(/^lps_test_/),
      name: 'Website',
      scopes: 'leads:read analytics:read',
    });
    const token = { Authorization: `Bearer ${await getToken(baseUrl, client)}` };
    expect((await me(token)).status).toBe(200);
    const { client_secret, ...described } = client;
    const listed = { ...described, created_at: expect.any(String), disabled_at: null };
    expect(await cliJson<unknown>(env, 'clients', 'list', ...sandbox)).toContainEqual(listed);
    const disabled = await cliJson(env, 'clients', 'disable', client.client_id, ...sandbox);
    expect(await refusal(token)).toBe('token_revoked');
    const effects = { ending_jobs: [], paused_webhooks: [], enabled_inbound_hooks: [] };
    expect(disabled).toEqual({ ...listed, disabled_at: expect.any(String), ...effects });
    expect(await getToken(baseUrl, client)).toBeUndefined();
    const again = await act((place) => disableClient(place, client.client_id));
    expect(again.disabled_at).toBe(disabled.disabled_at);
    const key = ['keys', 'create', ...sandbox, '--client', client.client_id, '--name', 'Late'];
    expect(await cli(env, ...key)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'This client is disabled. Enable it first.\n',
    });
    const enabled = await cliJson(env, 'clients', 'enable', client.client_id, ...sandbox);
    expect(enabled).toEqual(listed);
    expect(await getToken(baseUrl, client)).toBeTruthy();
  });

  it('the first client is not an administrator; one created with --scopes admin sees the command line in the audit log', async () => {
    const admin = await cliJson<Client>(
      env,
      ...['clients', 'create', ...sandbox, '--name', 'Admin', '--scopes', 'admin'],
    );
    const first = credentialsOf(env.DATA_DIR).sandbox;
    const as = async (client: Client, path: string) => {
      const headers = { Authorization: `Bearer ${await getToken(baseUrl, client)}` };
      return fetch(`${baseUrl}${path}`, { headers });
    };
    expect((await as(first, '/clients')).status).toBe(403);
    const auditOf = async ({ client_id }: Client) => {
      const response = await as(admin, `/audit-log?client_id=${client_id}`);
      return ((await response.json()) as { data: object[] }).data;
    };
    const created = { action: 'client.created', address: null, request_id: null };
    expect(await auditOf(admin)).toMatchObject([
      { ...created, actor: { type: 'operator', id: null }, scopes: ['admin'] },
    ]);
    expect(await auditOf(first)).toMatchObject([
      { ...created, actor: { type: 'system', id: null }, name: 'First client', scopes: ['read', 'write'] },
    ]);
    await act((place) => disableClient(place, admin.client_id));
    expect(await getToken(baseUrl, admin)).toBeUndefined();
  });

  it('an API key can be created, listed and revoked', async () => {
    const { client_id } = early;
    const options = ['--client', client_id, '--name', 'Nightly export', '--scopes', 'leads:read'];
    const key = await cliJson<Key>(env, 'keys', 'create', ...sandbox, ...options, '--expires', '30');
    const headers = { 'X-API-Key': key.api_key };
    const { data } = (await (await me(headers)).json()) as { data: { scopes: string[]; expires_at: string } };
    expect(data.scopes).toEqual(['leads:read']);
    expect(new Date(data.expires_at).getTime() / 86_400_000).toBeCloseTo(Date.now() / 86_400_000 + 30, 2);
    // The service stores the use of a key within ten seconds.
    const { api_key, last_used_at, ...rest } = key;
    expect(last_used_at).toBeNull();
    expect(await cliJson<unknown>(env, 'keys', 'list', ...sandbox, '--client', client_id)).toMatchObject([
      rest,
    ]);
    const revoked = await cliJson(env, 'keys', 'revoke', key.key_id, ...sandbox);
    expect(await refusal(headers)).toBe('token_revoked');
    expect(revoked).toMatchObject({ ...rest, revoked_at: expect.any(String) });
  });

  it('a leaked API key is revoked by itself, and never printed', async () => {
    const options = [...sandbox, '--client', early.client_id, '--name', 'Leaked'];
    const key = await cliJson<Key>(env, 'keys', 'create', ...options);
    const done = await cli(env, 'keys', 'revoke', key.api_key, ...sandbox);
    expect(done.stdout).toContain(key.key_id);
    expect(await refusal({ 'X-API-Key': key.api_key })).toBe('token_revoked');
    const other = `${key.api_key.slice(0, -2)}__`;
    const failed = await cli(env, 'keys', 'revoke', other, ...sandbox);
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed.stderr).toMatch(/^This environment has no such API key\./);
    for (const printed of [done.stdout, done.stderr, failed.stderr])
      expect(printed).not.toContain('lpk_test_');
  });

  it("an API key has its client's scopes by default, and never more", async () => {
    const { client_id } = await newClient('read');
    const options = ['keys', 'create', ...sandbox, '--client', client_id, '--name', 'Reader'];
    expect(await cliJson(env, ...options, '--expires', '2099-01-31T12:00:00+01:00')).toMatchObject({
      scopes: 'read',
      expires_at: '2099-01-31T11:00:00.000Z',
    });
    expect(await cli(env, ...options, '--scopes', 'leads:write')).toEqual({
      code: 1,
      stdout: '',
      stderr: '"leads:write" is not granted to the client, which has read.\n',
    });
    const late = { clientId: client_id, name: 'Late', scopes: undefined, expiresAt: new Date('2020-01-31') };
    await expect(act((place) => issueApiKey(place, late))).rejects.toThrow(
      /^expires_at must be in the future\.$/,
    );
  });

  it('a rotated secret replaces the old one, also in credentials.json, and tokens stay valid', async () => {
    const first = credentialsOf(env.DATA_DIR).sandbox;
    const token = { Authorization: `Bearer ${await getToken(baseUrl, first)}` };
    const rotated = await cliJson<Client>(env, 'clients', 'rotate-secret', first.client_id, ...sandbox);
    expect(rotated.client_id).toBe(first.client_id);
    expect(await getToken(baseUrl, first)).toBeUndefined();
    expect(await getToken(baseUrl, rotated)).toBeTruthy();
    expect((await me(token)).status).toBe(200);
    expect(credentialsOf(env.DATA_DIR).sandbox).toEqual({ ...first, client_secret: rotated.client_secret });
    expect(statSync(join(env.DATA_DIR, 'credentials.json')).mode & 0o777).toBe(0o600);
  });

  it('a rotated secret is shown even when credentials.json can not be read', async () => {
    const { client_id } = await newClient('read', 'write');
    const file = join(env.DATA_DIR, 'credentials.json');
    const before = JSON.stringify(credentialsOf(env.DATA_DIR));
    writeFileSync(file, 'null');
    const { code, stdout } = await cli(env, 'clients', 'rotate-secret', client_id, ...sandbox);
    writeFileSync(file, before);
    expect(code).toBe(0);
    expect(stdout).toMatch(/client_secret +lps_test_/);
  });

  it('after a rotation of signing keys, tokens are signed with the new key, and old tokens stay valid', async () => {
    const client = await newClient('read', 'write');
    const kid = (token: string) => JSON.parse(atob(token.split('.')[0] ?? '')).kid as string;
    const old = await getToken(baseUrl, client);
    const rotated = await cliJson(env, 'signing-keys', 'rotate', ...sandbox);
    const jwks = async () => {
      const { keys } = (await (await fetch(`${baseUrl}/auth/jwks`)).json()) as { keys: { kid: string }[] };
      return keys.map((key) => key.kid).sort();
    };
    await expect.poll(jwks).toEqual([kid(old), rotated.kid].sort());
    const fresh = await getToken(baseUrl, client);
    expect(kid(fresh)).toBe(rotated.kid);
    for (const token of [old, fresh]) {
      expect((await me({ Authorization: `Bearer ${token}` })).status).toBe(200);
    }
  });

  it("a command does not find the other environment's clients", async () => {
    const { client_id } = await newClient('read', 'write');
    const { code, stderr } = await cli(env, 'clients', 'disable', client_id, '--environment', 'production');
    expect(code).toBe(1);
    expect(stderr).toBe(`There is no client ${client_id} in this environment.\n`);
  });

  it('without --json, commands print readable text', async () => {
    const made = await cli(env, 'clients', 'create', ...sandbox, '--name', 'For people');
    expect(made.stdout).toMatch(
      /^Created an API client\. Its secret is shown only once:\n\n {2}client_id +client_/,
    );
    expect(made.stdout).toMatch(/\n {2}client_secret +lps_test_\S+\n/);
    expect(JSON.parse(made.stderr)).toMatchObject({ audit: true, act: 'client.created', actor: 'operator' });
    expect(made.stderr).not.toContain('lps_');
    const { stdout } = await cli(env, 'clients', 'list', ...sandbox);
    const [title, , header = '', ...rows] = stdout.trimEnd().split('\n');
    expect(title).toBe('API clients:');
    expect(header.trim().split(/ +/)).toEqual(['client_id', 'name', 'scopes', 'created_at', 'disabled_at']);
    const row = rows.find((line) => line.includes('For people')) ?? '';
    expect(row.indexOf('For people')).toBe(header.indexOf('name'));
    expect(stdout).not.toContain('lps_');
    expect((await cli(env, 'keys', 'list', '--environment', 'production')).stdout).toBe('API keys: none.\n');
  });

  it('the commands leave the server running', async () => {
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
    expect(postmaster(env.DATA_DIR)).toBeUndefined();
  });
});
