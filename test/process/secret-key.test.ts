/** SECRET_KEY is replaced while the service runs. */
import { createHmac, randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, it } from 'vitest';
import { encrypted } from '../../src/db/encrypted.ts';
import { encrypt } from '../../src/values/secrets.ts';
import {
  call,
  cleanUp,
  cli,
  cliJson,
  credentialsOf,
  externalDatabases,
  failedStart,
  getToken,
  preparedDataDir,
  startServer,
} from '../support/process.ts';

afterAll(cleanUp);

const newKey = () => randomBytes(32).toString('base64');
const rotate = (env: Record<string, string>) => cli(env, 'secret-key', 'rotate');

it('everything stays usable while two processes change the key one after the other, and afterwards with the new key alone', async () => {
  const { env, credentials } = await externalDatabases();
  const [old, fresh] = [env.SECRET_KEY, newKey()];
  const both = { ...env, SECRET_KEY: fresh, SECRET_KEY_OTHER: old };
  const database = new pg.Client({ connectionString: env.DATABASE_URL });
  database.on('error', () => undefined);
  await database.connect();

  // One process still encrypts with the old key, and the other one with the new key.
  const before = await startServer({ ...env, SECRET_KEY_OTHER: fresh });
  const after = await startServer(both);
  const bases = [`${before.url}/v1`, `${after.url}/v1`] as const;
  const tokens = await Promise.all(bases.map((base) => getToken(base, credentials)));
  const secret = 'a-shared-secret-of-32-characters!';
  const hooks: string[] = [];
  const keyed: { path: string; body: object; answer: string }[] = [];
  for (const [index, base] of bases.entries()) {
    const token = tokens[index] ?? '';
    const hook = await call(token, 'POST', `${base}/inbound-hooks`, {
      name: 'Form',
      verification: { type: 'hmac_sha256', header: 'X-Signature', encoding: 'hex', secret },
    });
    expect(hook.status).toBe(201);
    hooks.push(new URL((hook.body.data as { url: string }).url).pathname);
    const body = { url: 'https://example.com/hook', event_types: ['lead.created'] };
    const made = await call(token, 'POST', `${base}/webhooks`, body, {
      'Idempotency-Key': `webhook-${index}`,
    });
    expect(made.status).toBe(201);
    keyed.push({ path: '/webhooks', body, answer: (made.body.data as { secret: string }).secret });
    const path = `/webhooks/${(made.body.data as { id: string }).id}/rotate-secret`;
    expect((await call(token, 'POST', base + path)).status).toBe(200);
  }
  // More than a batch.
  await database.query(
    `insert into idempotency_keys (client_id, key, request_hash, operation, sealed_body)
     select id, 'old-' || n, '', 'createLead', $1 from api_clients, generate_series(1, 250) n`,
    [encrypt([Buffer.from(old, 'base64')], '{}')],
  );

  async function expectUsable(origin: string, to: string): Promise<void> {
    const token = await getToken(`${origin}/v1`, credentials);
    for (const path of hooks) {
      const text = JSON.stringify({ name: 'Ada', email: `${randomBytes(6).toString('hex')}@example.com` });
      const signature = createHmac('sha256', secret).update(text).digest('hex');
      const headers = { 'Content-Type': 'application/json', 'X-Signature': signature };
      const response = await fetch(origin + path, { method: 'POST', headers, body: text });
      expect([to, response.status]).toEqual([to, 202]);
    }
    for (const [index, { path, body, answer }] of keyed.entries()) {
      const again = await call(token, 'POST', `${origin}/v1${path}`, body, {
        'Idempotency-Key': `webhook-${index}`,
      });
      expect([to, (again.body.data as { secret?: string } | undefined)?.secret]).toEqual([to, answer]);
    }
  }
  await expectUsable(before.url, 'the old process');
  await expectUsable(after.url, 'the new process');

  const first = await rotate(both);
  expect(first.code).toBe(0);
  expect(first.stdout).toMatch(/^All secrets are encrypted with SECRET_KEY\. Encrypted again:\n/);
  expect(first.stdout).toMatch(/production +1 +2 +1 +251\n/);
  await expectUsable(before.url, 'the old process after the rotation');
  // What the old process has encrypted meanwhile is found by the next run.
  const body = { url: 'https://example.com/late', event_types: ['lead.created'] };
  expect((await call(tokens[0] ?? '', 'POST', `${before.url}/v1/webhooks`, body)).status).toBe(201);
  await before.stop();
  const second = await cliJson<Record<string, string>[]>(both, 'secret-key', 'rotate');
  expect(second[0]).toEqual({
    environment: 'production',
    signing_keys: 0,
    webhooks: 1,
    inbound_hooks: 0,
    idempotency_keys: 0,
  });
  await after.stop();

  const alone = await startServer({ ...env, SECRET_KEY: fresh });
  await expectUsable(alone.url, 'the new key alone');
  expect(await alone.stop()).toBe(0);
  expect((await failedStart(env)).stderr).toContain('SECRET_KEY does not decrypt the signing key');
  await database.end();
});

it('of two rotations to different keys, the second one says that another one was in between', async () => {
  const { env } = await externalDatabases();
  await (await startServer(env)).stop();
  const results = [];
  for (const key of [newKey(), newKey()])
    results.push(await rotate({ ...env, SECRET_KEY: key, SECRET_KEY_OTHER: env.SECRET_KEY }));
  expect(results.map(({ code }) => code)).toEqual([0, 1]);
  expect(results[1]?.stderr).toMatch(
    /^signing_keys of production has a secret that neither SECRET_KEY nor SECRET_KEY_OTHER decrypts\. Perhaps another rotation /,
  );
  const without = await rotate(env);
  expect([without.code, without.stderr]).toEqual([
    2,
    expect.stringMatching(/^Set SECRET_KEY to the new key and SECRET_KEY_OTHER /),
  ]);
});

it('the key of the embedded database is replaced in secret.key, which keeps its mode', async () => {
  const dataDir = preparedDataDir();
  const first = await startServer({ DATA_DIR: dataDir });
  const client = credentialsOf(dataDir).production;
  await first.stop();
  const file = join(dataDir, 'secret.key');
  const keys = { DATA_DIR: dataDir, SECRET_KEY: newKey(), SECRET_KEY_OTHER: readFileSync(file, 'utf8') };
  const running = await startServer(keys);
  const { code, stdout } = await rotate(keys);
  expect(code).toBe(0);
  expect(stdout).toContain(`${file} has the new key.`);
  await running.stop();
  expect(readFileSync(file, 'utf8')).toBe(keys.SECRET_KEY);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const later = await startServer({ DATA_DIR: dataDir });
  expect(await getToken(`${later.url}/v1`, client)).toBeTruthy();
  expect(await later.stop()).toBe(0);
});

it('no encrypted column is left out', async () => {
  const { env } = await externalDatabases();
  const database = new pg.Client({ connectionString: env.DATABASE_URL });
  await database.connect();
  const { rows } = await database.query(
    `select table_name, column_name from information_schema.columns where table_schema = 'public' and data_type = 'bytea'`,
  );
  await database.end();
  const binary = rows
    .map(({ table_name, column_name }) => `${table_name}.${column_name}`)
    // Hashes need no key, and what a hook received isn't encrypted.
    .filter((name) => !/hash|dedupe_key/.test(name) && name !== 'inbound_deliveries.body');
  expect(binary.toSorted()).toEqual(
    encrypted.flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`)).toSorted(),
  );
});
