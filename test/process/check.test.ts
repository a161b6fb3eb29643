/** `lead-pipeline check`: what it says before anything is restarted. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { copyDatabase, createEmptyDatabase } from '../support/database.ts';
import { query } from '../support/embedded.ts';
import { cleanUp, cli, externalDatabases, preparedDataDir } from '../support/process.ts';
import { missing } from '../support/programs.ts';

vi.setConfig({ testTimeout: 60_000 });

let env: Record<'DATABASE_URL' | 'SANDBOX_DATABASE_URL' | 'SECRET_KEY' | 'DATA_DIR', string>;

beforeEach(async () => {
  env = (await externalDatabases()).env;
});
afterAll(cleanUp);

/** What it says of each check. A fault is a sentence of its own. */
async function check(more: Record<string, string> = {}) {
  const { code, stdout, stderr } = await cli({ ...env, ...more }, 'check', '--json');
  expect(stderr).toBe('');
  const rows = JSON.parse(stdout) as { check: string; result: string }[];
  const faults = rows.filter(({ result }) => result.startsWith('FAILED: '));
  expect(code).toBe(faults.length > 0 ? 1 : 0);
  return {
    results: Object.fromEntries(rows.map(({ check, result }) => [check, result])),
    faults: faults.map(({ check, result }) => `${check}: ${result.replace('FAILED: ', '')}`),
  };
}

const sql = (text: string, url = env.DATABASE_URL) => query(url, text);

/** A hash of all rows of production. */
async function rows(): Promise<unknown> {
  const [found] = await sql(`
    select md5(string_agg(name || query_to_xml(format('select * from %I', name), true, false, '')::text, '' order by name))
    from (select table_name::text as name from information_schema.tables where table_schema = 'public'
      and table_type = 'BASE TABLE') as tables`);
  return found;
}

const names = ['database', 'privileges', 'schema', 'label', 'secret key'];

describe('lead-pipeline check', () => {
  it('says that everything is there, and changes nothing', async () => {
    const before = await rows();
    const { code, stdout } = await cli(env, 'check');
    expect([code, stdout.split('\n')[0]]).toEqual([0, 'Version 1.0.0 can start here. Nothing was changed.']);
    const { results } = await check();
    const expected = ['production', 'sandbox'].flatMap((environment) =>
      names.map((name) => `${environment} ${name}`),
    );
    expect(Object.keys(results).toSorted()).toEqual(['settings', ...expected].toSorted());
    expect(results['production schema']).toBe('ok: up to date');
    expect(await rows()).toEqual(before);
  });

  it('works with the embedded PostgreSQL', async () => {
    const DATA_DIR = preparedDataDir();
    const { code, stdout } = await cli({ DATA_DIR }, 'check');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/embedded PostgreSQL +ok\n/)]);
  });

  it('names the migrations that would run, and those of a newer version, and runs none', async () => {
    await sql(
      "update knex_migrations set name = '999_later.ts' where name = '014_erasures_and_retention.ts'",
    );
    const { results } = await check();
    expect(results['production schema']).toBe(
      'ok: 1 migrations would run: 014_erasures_and_retention.ts; has 1 migrations of a newer version: 999_later.ts',
    );
    const empty = await createEmptyDatabase();
    const onEmpty = await check({ DATABASE_URL: empty.url });
    expect(onEmpty.results['production schema']).toMatch(/^ok: empty, \d\d migrations would run$/);
    expect(await sql("select from pg_class where relname = 'knex_migrations'", empty.url)).toEqual([]);
    await empty.knex.destroy();
    await empty.drop();
  });

  it('says so if a database is a copy', async () => {
    const copy = await copyDatabase(env.DATABASE_URL);
    const { results } = await check({ DATABASE_URL: copy.url });
    expect(results['production label']).toMatch(/^ok: The production database is a copy of another one\./);
    await copy.drop();
  });

  it('reports every fault of the settings, and reaches for nothing then', async () => {
    const { faults, results } = await check({ PORT: 'x', SECRET_KEY: '' });
    expect(faults).toEqual([
      expect.stringMatching(/^settings: PORT is "x"/),
      expect.stringMatching(/^settings: SECRET_KEY is missing/),
    ]);
    expect(Object.keys(results)).toEqual(['settings']);
    const { faults: plain } = await check({ PUBLIC_URL: 'https://api.example.com' });
    expect(plain).toEqual([
      expect.stringMatching(/^settings: PUBLIC_URL is .* name the proxy in TRUST_PROXY/),
    ]);
  });

  it('reports what does not answer, and goes on with the rest', async () => {
    const nowhere = '127.0.0.1:9';
    const { faults, results } = await check({
      DATABASE_URL: `postgres://api:secret@${nowhere}/leads`,
      REDIS_URL: `redis://:secret@${nowhere}`,
    });
    expect(faults).toEqual([
      `Redis: Redis at ${nowhere} can't be used: connect ECONNREFUSED ${nowhere}. Start it, or correct REDIS_URL.`,
      `production database: The production database at ${nowhere}/leads can't be reached (ECONNREFUSED). Start it, or ` +
        'correct DATABASE_URL.',
    ]);
    expect(results['sandbox schema']).toBe('ok: up to date');
  });

  it('reports a replica that is none, or does not answer', async () => {
    const { faults } = await check({
      DATABASE_REPLICA_URL: env.DATABASE_URL,
      SANDBOX_DATABASE_REPLICA_URL: 'postgres://api@127.0.0.1:9/leads',
    });
    expect(faults).toEqual([
      expect.stringMatching(/^production replica: The production replica at .* is not a standby\.$/),
      expect.stringMatching(/^sandbox replica: .*can't be reached.*correct SANDBOX_DATABASE_REPLICA_URL\.$/),
    ]);
  });

  it('reports databases in each other’s place, and a role without privileges', async () => {
    const swapped = await check({
      DATABASE_URL: env.SANDBOX_DATABASE_URL,
      SANDBOX_DATABASE_URL: env.DATABASE_URL,
    });
    expect(swapped.faults).toEqual([
      expect.stringMatching(
        /^production label: .* is labelled sandbox, and can't be used as the production one/,
      ),
      expect.stringMatching(
        /^sandbox label: .* is labelled production, and can't be used as the sandbox one/,
      ),
    ]);
    const role = `check_${randomBytes(6).toString('hex')}`;
    await sql(`create role ${role} login password 'secret'`);
    try {
      const url = Object.assign(new URL(env.DATABASE_URL), {
        username: role,
        password: 'secret',
        search: '',
      });
      const { faults } = await check({ DATABASE_URL: url.href });
      expect(faults).toContainEqual(
        expect.stringMatching(/^production privileges: Tables in the database .* belong/),
      );
    } finally {
      await sql(`drop role ${role}`);
    }
  });

  it('reports a SECRET_KEY that does not decrypt the signing key', async () => {
    const { code, stderr } = await cli(env, 'init');
    expect(code, stderr).toBe(0);
    expect((await check()).faults).toEqual([]);
    const { faults } = await check({ SECRET_KEY: randomBytes(32).toString('base64') });
    expect(faults).toEqual([
      expect.stringMatching(/^production secret key: SECRET_KEY does not decrypt the signing key/),
      expect.stringMatching(/^sandbox secret key: SECRET_KEY does not decrypt the signing key/),
    ]);
  });

  it('says until when the certificate is valid, and reports one that has expired', async ({ skip }) => {
    const none = missing('openssl');
    if (none !== undefined) skip(none);
    const files = { TLS_CERT_FILE: join(env.DATA_DIR, 'crt'), TLS_KEY_FILE: join(env.DATA_DIR, 'key') };
    const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' });
    const { TLS_CERT_FILE: cert, TLS_KEY_FILE: key } = files;
    const made = ['-newkey', 'ed25519', '-nodes', '-subj', '/CN=localhost', '-days', '10'];
    openssl('req', '-x509', ...made, '-out', cert, '-keyout', key);
    expect((await check(files)).results.certificate).toMatch(/^ok: valid until \d{4}-\d\d-\d\d$/);
    openssl('x509', '-in', cert, '-signkey', key, '-days', '-1', '-out', cert);
    const expired = /^certificate: The certificate in TLS_CERT_FILE was valid until .* Get a new one\.$/;
    expect((await check(files)).faults).toEqual([expect.stringMatching(expired)]);
  });
});
