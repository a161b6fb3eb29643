/** A database knows its environment. Processes and commands refuse that of another one, whatever its URL says. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { until } from '../support/deliveries.ts';
import { query } from '../support/embedded.ts';
import { readPage } from '../support/markdown.ts';
import {
  call,
  cleanUp,
  cli,
  type External,
  externalDatabases,
  failedStart,
  getToken,
  startServer,
} from '../support/process.ts';
import { sandboxCaller } from '../support/sandbox-caller.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let external: External;

const nameOf = (url: string) => new URL(url).pathname.slice(1);
const rowsOf = async (url: string, table: string) =>
  (await query(url, `select count(*)::int as n from ${table}`))[0]?.n;

/** Another text for the same place. */
function alias(url: string): string {
  const other = new URL(url);
  other.hostname = other.hostname === 'localhost' ? '127.0.0.1' : 'localhost';
  return other.href;
}

beforeAll(async () => {
  external = await externalDatabases();
  await query(
    external.env.DATABASE_URL,
    `insert into users (id, name, email) values (new_uuid(), 'Ada', 'ada@example.com')`,
  );
});

afterAll(cleanUp);

/** With the variables of the two databases swapped. */
const swapped = () => ({
  ...external.env,
  DATABASE_URL: external.env.SANDBOX_DATABASE_URL,
  SANDBOX_DATABASE_URL: external.env.DATABASE_URL,
});

describe('with swapped variables', () => {
  it('a start is refused with a sentence that names both environments, the database and a remedy', async () => {
    const { code, stderr } = await failedStart(swapped());
    const { host } = new URL(swapped().DATABASE_URL);
    const name = nameOf(swapped().DATABASE_URL);
    expect(stderr.split('\n').filter((line) => !line.startsWith('{'))).toEqual([
      `The database ${name} at ${host}/${name} is labelled sandbox, and can't be used as the production one: correct ` +
        'DATABASE_URL, or, if this database is meant to be the production one, run: ' +
        'npx lead-pipeline data label --environment production',
      '',
    ]);
    expect(code).toBe(1);
  });

  it('a worker and a process of the sandbox alone are refused as well', async () => {
    for (const [name, value] of Object.entries({ ROLE: 'worker', ENVIRONMENTS: 'sandbox' })) {
      const { code, stderr } = await failedStart({ ...swapped(), [name]: value });
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/is labelled (sandbox|production), and can't be used/),
      ]);
    }
  });

  const commands = [
    'sandbox reset --yes',
    'sandbox seed',
    'clients list --environment production',
    'clients create --environment sandbox --name Test',
    'clients rotate-secret client_1 --environment sandbox',
    'clients disable client_1 --environment sandbox',
    'clients enable client_1 --environment sandbox',
    'keys create --environment sandbox --client client_1 --name Test',
    'keys list --environment sandbox',
    'keys revoke key_1 --environment sandbox',
    'retention show --environment sandbox',
    'retention release --environment production --yes',
    'signing-keys rotate --environment production',
    'counters verify --repair --environment sandbox',
    'data url --environment sandbox',
    'data adopt --environment sandbox --yes --database x',
    'migrate',
    'migrate:rollback --environment sandbox --to 1.0.0 --yes --database x',
    'init',
  ];

  it.each(commands)('%s is refused, and changes nothing', async (command) => {
    const before = await rowsOf(external.env.DATABASE_URL, 'audit_log');
    const { code, stdout, stderr } = await cli(swapped(), ...command.split(' '));
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^The database \S+ at \S+ is labelled (sandbox|production), and can't be used as .+\n$/,
    );
    expect(await rowsOf(external.env.DATABASE_URL, 'audit_log')).toBe(before);
    expect(await rowsOf(external.env.DATABASE_URL, 'users')).toBe(1);
    expect(await rowsOf(external.env.DATABASE_URL, 'knex_migrations')).toBeGreaterThan(0);
  });

  it('every command that works in an environment is tested here', () => {
    // test/process/cli-api.test.ts has those that need a running service.
    const others = ['credentials', 'api', 'export', 'import', 'data label'];
    const documented = readPage('docs/command-line.md').matchAll(/^\| (`.+?`) \| `--environment`/gm);
    const names = [...documented].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([^`<]+?) ?(?:<.*?>)?`/g)].map(([, name = '']) => name),
    );
    expect(names.length).toBeGreaterThan(15);
    const isTested = (name: string) => commands.some((command) => command.startsWith(name));
    expect(names.filter((name) => !isTested(name))).toEqual(others);
  });
});

describe('two URLs that lead to the same database by different texts', () => {
  const same = () => ({ ...external.env, SANDBOX_DATABASE_URL: alias(external.env.DATABASE_URL) });

  it('give production only: the sandbox is unavailable, and the log says why', async () => {
    const server = await startServer(same());
    const token = await getToken(`${server.url}/v1`, external.credentials);
    expect((await call(token, 'GET', `${server.url}/v1/users`)).body.data).toHaveLength(1);
    const reset = await call(token, 'POST', `${server.url}/sandbox/v1/sandbox/reset`);
    expect(reset.status).toBe(503);
    expect(await call('', 'GET', `${server.url}/readyz`)).toMatchObject({
      status: 200,
      body: { sandbox: 'unavailable' },
    });
    expect(server.log()).toContainEqual(
      expect.objectContaining({
        environment: 'sandbox',
        reason: expect.stringContaining("is labelled production, and can't be used as the sandbox one"),
      }),
    );
    expect(await server.stop()).toBe(0);
  });

  it('leave production as it is when the sandbox is reset', async () => {
    const { code, stderr } = await cli(same(), 'sandbox', 'reset', '--yes');
    expect([code, stderr]).toEqual([1, expect.stringContaining('is labelled production')]);
    expect(await rowsOf(external.env.DATABASE_URL, 'users')).toBe(1);
  });
});

describe('a database that becomes another one under a running process', () => {
  it('is not emptied by a reset of the sandbox', async () => {
    const server = await startServer(external.env);
    const sandbox = await sandboxCaller(server, external.env);
    expect((await sandbox('POST', '/users', { name: 'Bob', email: 'bob@example.com' })).status).toBe(201);
    const url = external.env.SANDBOX_DATABASE_URL;
    await query(url, `update database_label set environment = 'production'`);
    try {
      expect((await sandbox('POST', '/sandbox/reset')).status).toBe(500);
      expect(await rowsOf(url, 'users')).toBe(1);
      await until(() => server.output.stderr.includes('has the label production.'));
      await until(
        async () => (await call('', 'GET', `${server.url}/readyz`)).body.sandbox === 'unavailable',
        10,
      );
    } finally {
      await query(url, `update database_label set environment = 'sandbox'`);
    }
    expect((await sandbox('POST', '/sandbox/reset')).status).toBe(200);
    expect(await rowsOf(url, 'users')).toBe(0);
    expect(await server.stop()).toBe(0);
  });
});
