/** `data label` makes a database that of another environment. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { copyDatabase, createEmptyDatabase, type TestDatabase } from '../support/database.ts';
import { query } from '../support/embedded.ts';
import {
  call,
  cleanUp,
  cli,
  cliJson,
  type External,
  externalDatabases,
  failedStart,
  startServer,
} from '../support/process.ts';
import { sandboxCaller } from '../support/sandbox-caller.ts';
import { onTerminal } from '../support/terminal.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let external: External;
const copies: TestDatabase[] = [];

const nameOf = (url: string) => new URL(url).pathname.slice(1);

async function copyOf(url: string): Promise<string> {
  const copy = await copyDatabase(url);
  copies.push(copy);
  return copy.url;
}

beforeAll(async () => {
  external = await externalDatabases();
  await query(
    external.env.DATABASE_URL,
    `insert into users (id, name, email) values (new_uuid(), 'Ada', 'ada@example.com')`,
  );
});

afterEach(async () => {
  await Promise.all(copies.splice(0).map((copy) => copy.drop()));
});

afterAll(cleanUp);

describe('an empty database', () => {
  it('gets its label from the command that creates its tables', async () => {
    const empty = await createEmptyDatabase();
    const env = { ...external.env, DATABASE_URL: empty.url, ENVIRONMENTS: 'production' };
    const early = await cli(
      env,
      'data',
      'label',
      '--environment',
      'production',
      '--yes',
      '--database',
      nameOf(empty.url),
    );
    expect([early.code, early.stderr]).toEqual([
      1,
      expect.stringContaining('is empty, so it needs no label'),
    ]);
    await cliJson(env, 'migrate');
    expect(await query(empty.url, 'select environment from database_label')).toEqual([
      { environment: 'production' },
    ]);
    const { code, stderr } = await cli(
      { ...external.env, SANDBOX_DATABASE_URL: empty.url },
      'sandbox',
      'reset',
      '--yes',
    );
    expect([code, stderr]).toEqual([1, expect.stringContaining('is labelled production')]);
    await empty.drop();
  });
});

describe('data label', () => {
  it('asks for the name of the database on a terminal', async () => {
    const url = await copyOf(external.env.DATABASE_URL);
    const env = { ...external.env, SANDBOX_DATABASE_URL: url };
    const label = (answer: string) => onTerminal(env, answer, 'data', 'label', '--environment', 'sandbox');
    const wrong = await label('sandbox\n');
    expect(wrong.code).toBe(1);
    expect(wrong.screen).toContain(`Nothing was changed, because you did not type ${nameOf(url)}.`);
    expect((await label(`${nameOf(url)}\n`)).code).toBe(0);
    expect(await query(url, 'select environment from database_label')).toEqual([{ environment: 'sandbox' }]);
  });

  it('makes a dump of production the sandbox, after it was told the name of the database', async () => {
    const url = await copyOf(external.env.DATABASE_URL);
    const env = { ...external.env, SANDBOX_DATABASE_URL: url };
    const label = (...args: string[]) => cli(env, 'data', 'label', '--environment', 'sandbox', ...args);
    const bare = await label();
    expect(bare.code).toBe(2);
    expect(bare.stderr).toMatch(
      /^The database \S+ at \S+ is labelled production. Its rows:\n( {2}\S+ +\d+\n)+/,
    );
    expect(bare.stderr).toMatch(
      /\n {2}users +1\nThis makes it the sandbox database\.\n.*--yes --database <name>/,
    );
    expect((await label('--yes')).code).toBe(2);
    const wrong = await label('--yes', '--database', nameOf(external.env.DATABASE_URL));
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing was changed.') });
    expect(await query(url, 'select environment from database_label')).toEqual([
      { environment: 'production' },
    ]);

    const done = await label('--yes', '--database', nameOf(url));
    expect(done).toMatchObject({ code: 0, stderr: expect.stringContaining('is a copy of another one') });
    await succeeds(env, 'data', 'adopt', '--environment', 'sandbox', '--yes', '--database', nameOf(url));
    const server = await startServer(env);
    const sandbox = await sandboxCaller(server, env);
    expect((await sandbox('GET', '/users')).body.data).toHaveLength(1);
    // The hashes of production's secrets are in this database.
    const token = await call('', 'POST', `${server.url}/sandbox/v1/auth/token`, {
      grant_type: 'client_credentials',
      ...external.credentials,
    });
    expect([token.status, token.body.error]).toEqual([401, 'invalid_client']);
    expect(await server.stop()).toBe(0);
    expect((await label()).stdout).toMatch(/^The database has this label already:/);
  });

  it('is what a database with tables and no label needs, which then counts as a copy', async () => {
    const url = await copyOf(external.env.DATABASE_URL);
    await query(url, 'drop table database_label');
    const env = { ...external.env, DATABASE_URL: url };
    for (const { code, stderr } of [await failedStart(env), await cli(env, 'migrate')]) {
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining(
          'has tables, but no label that says that it is the production one: correct DATABASE_URL, or, if this database is ' +
            'meant to be the production one, run: npx lead-pipeline data label --environment production\n',
        ),
      ]);
    }
    const name = nameOf(url);
    await succeeds(env, 'data', 'label', '--environment', 'production', '--yes', '--database', name);
    const { stderr } = await cli(env, 'clients', 'list', '--environment', 'production');
    expect(stderr).toContain('The production database is a copy of another one.');
    await succeeds(env, 'data', 'adopt', '--environment', 'production', '--yes', '--database', name);
    expect((await cli(env, 'clients', 'list', '--environment', 'production')).stderr).toBe('');
  });
});

async function succeeds(env: Record<string, string>, ...args: string[]): Promise<void> {
  expect(await cli(env, ...args)).toMatchObject({ code: 0 });
}
