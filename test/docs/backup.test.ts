import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { ensureDatabase } from '../../src/db/migrate.ts';
import { bin, noPostgres, startDebianPostgres } from '../support/debian-postgres.ts';
import { commandsOf, readPage } from '../support/markdown.ts';
import { Newcomer } from '../support/newcomer.ts';
import { call, cleanUp, cliJson, getToken, newDataDir, startServer } from '../support/process.ts';
import { openShell, type Shell } from '../support/shell.ts';

vi.setConfig({ testTimeout: 120_000 });

const newcomer = new Newcomer();
const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
  await cleanUp();
});

afterAll(() => newcomer.leave());

function shell(env: Record<string, string>): Shell {
  const opened = openShell(newcomer.folder, env);
  closers.push(() => opened.close());
  return opened;
}

/** The commands in a section of the chapter. */
function commands(section: string): string[] {
  return commandsOf(readPage('docs/backup.md'))
    .filter((command) => command.section === section)
    .map(({ text }) => text);
}

async function paste(into: Shell, text: string): Promise<string> {
  const { status, output } = await into.paste(text);
  expect(status, `${text}\n${output()}`).toBe(0);
  return output();
}

it('a dump of a running service can be restored, and followers of the log get the error log_restored', async (ctx) => {
  const postgres = await startDebianPostgres();
  if (postgres === undefined) return ctx.skip(noPostgres);
  closers.push(() => postgres.stop());
  const [SERVER_URL, url] = [postgres.url('postgres'), postgres.url];
  for (const name of ['leads', 'leads_sandbox']) await ensureDatabase(SERVER_URL, name);
  const env = {
    DATABASE_URL: url('leads'),
    SANDBOX_DATABASE_URL: url('leads_sandbox'),
    SECRET_KEY: randomBytes(32).toString('base64'),
    DATA_DIR: newDataDir(),
  };
  const restored = {
    RESTORED_URL: url('leads_restored'),
    RESTORED_SANDBOX_URL: url('leads_sandbox_restored'),
  };
  const terminal = shell({ ...env, ...restored, SERVER_URL, PATH: `${bin}:${process.env.PATH}` });

  const before = await startServer(env);
  const options = ['--environment', 'production', '--name', 'Test'];
  const client = await cliJson<{ client_id: string; client_secret: string }>(
    env,
    'clients',
    'create',
    ...options,
  );
  const token = await getToken(`${before.url}/v1`, client);
  const add = (name: string) =>
    call(token, 'POST', `${before.url}/v1/leads`, { name, email: `${name}@example.com` });
  await add('Ada');
  for (const text of commands('Your own PostgreSQL')) await paste(terminal, text);
  await add('Grace');
  const { body } = await call(token, 'GET', `${before.url}/v1/events?after=latest`);
  const { next_cursor: cursor } = body.meta as { next_cursor: string };
  expect(await before.stop()).toBe(0);

  for (const text of commands('Restore your own PostgreSQL')) await paste(terminal, text);
  const urls = { DATABASE_URL: restored.RESTORED_URL, SANDBOX_DATABASE_URL: restored.RESTORED_SANDBOX_URL };
  const after = await startServer({ ...env, ...urls });
  const newToken = await getToken(`${after.url}/v1`, client);
  const leads = await call(newToken, 'GET', `${after.url}/v1/leads`);
  expect(leads.body.data).toMatchObject([{ name: 'Ada' }]);
  const refused = await call(newToken, 'GET', `${after.url}/v1/events?after=${cursor}`);
  expect(refused.body.code).toBe('log_restored');
  expect(await after.stop()).toBe(0);
});

it('a copy of DATA_DIR can be restored', async () => {
  newcomer.addDatabases();
  const terminal = shell({});
  const create = 'npx lead-pipeline clients create --environment production --name Kept --json';
  const { client_id: id } = JSON.parse(await paste(terminal, create)) as { client_id: string };
  const [back, restore, url] = commands('The embedded PostgreSQL') as [string, string, string];
  await paste(terminal, back);
  await paste(terminal, restore);
  expect(await paste(terminal, 'npx lead-pipeline clients list --environment production')).toContain(id);
  expect(await paste(terminal, url)).toMatch(/postgres:\/\/\S+\/lead_pipeline_production/);
});
