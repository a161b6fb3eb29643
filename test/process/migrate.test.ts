import { setTimeout as sleep } from 'node:timers/promises';
import createKnex from 'knex';
import pg from 'pg';
import { afterAll, describe, expect, inject, it, vi } from 'vitest';
import { labelNew } from '../../src/db/label.ts';
import { ensureDatabase, inspectBy, migrate } from '../../src/db/migrate.ts';
import { findNames, migrationSettings } from '../../src/db/migration-settings.ts';
import { type Environment, environments } from '../../src/environment.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { EmbeddedFixture, isAlive, query, withSetting } from '../support/embedded.ts';
import { cleanUp, cli, run } from '../support/process.ts';

// Starting servers and processes may take long on a busy machine.
vi.setConfig({ testTimeout: 60_000 });
const fixture = new EmbeddedFixture();

let databases = 0;
const migrated: TestDatabase[] = [];

afterAll(async () => {
  await cleanUp();
  await Promise.all(migrated.map((database) => database.drop()));
});

async function freshDatabase(locale?: string): Promise<string> {
  const name = `migrate_${process.pid}_${++databases}`;
  const url = new URL(inject('serverUrl'));
  if (locale === undefined) await ensureDatabase(url.href, name);
  else await query(url.href, `create database ${name} template template0 ${locale}`);
  url.pathname = name;
  return url.href;
}

async function migratedDatabase(environment?: Environment): Promise<string> {
  const database = await createTestDatabase(environment);
  migrated.push(database);
  return database.url;
}

/** Leaves a database as a first start does that is killed before this migration, or else before the last one. */
async function stopBefore(url: string, migration?: string): Promise<void> {
  await query(url, 'drop schema public cascade; create schema public');
  const knex = createKnex({ client: 'pg', connection: url, ...migrationSettings() });
  await labelNew(knex, 'production', await inspectBy(knex));
  const names = await findNames();
  const stop = migration ?? names.at(-1) ?? '';
  for (const _ of names.filter((name) => name < stop)) await knex.migrate.up();
  await knex.destroy();
}

describe('migrations', () => {
  it('run once, even if several processes start at the same time', async () => {
    const url = await freshDatabase();
    const runs = await Promise.all(Array.from({ length: 6 }, () => migrate(url, 'production')));
    const rows = await query(url, 'select name from knex_migrations order by id');
    expect(runs.flat().sort()).toEqual(rows.map(({ name }) => name));
    expect(runs.filter((names) => names.length > 0)).toHaveLength(1);
  });

  it('do not wait for the lock of a killed process', async () => {
    const url = await migratedDatabase();
    await stopBefore(url);
    await query(url, 'update knex_migrations_lock set is_locked = 1');
    expect(await migrate(url, 'production')).toHaveLength(1);
    expect(await query(url, 'select is_locked from knex_migrations_lock')).toEqual([{ is_locked: 0 }]);
  });

  it("wait for another process's migrations, longer than the statement timeout", async () => {
    const url = await migratedDatabase();
    const impatient = withSetting(url, 'statement_timeout=300');
    const other = createKnex({ client: 'pg', connection: url });
    const held = other.transaction(async (transaction) => {
      await transaction.raw('set local statement_timeout = 0');
      await transaction.raw('select pg_advisory_xact_lock(7305822401), pg_sleep(1)');
    });
    await Promise.all([held, migrate(impatient, 'production')]);
    await other.destroy();
  });

  it('say after a second which session they wait for, and for how long it has been connected', async () => {
    const [url, sandbox] = [await migratedDatabase(), await migratedDatabase('sandbox')];
    const holder = new pg.Client({ connectionString: url, application_name: 'somebody' });
    await holder.connect();
    const { rows } = await holder.query('select pg_backend_pid() as pid, pg_advisory_lock(7305822401)');
    const waiting = new RegExp(
      `Waiting\\. Another process is migrating this database: pid ${rows[0]?.pid} of PostgreSQL, somebody, role \\w+, ` +
        'from 127\\.0\\.0\\.1, connected since \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d UTC\\.',
      'g',
    );
    const env = { DATABASE_URL: url, SANDBOX_DATABASE_URL: sandbox, SECRET_KEY: '0'.repeat(64) };
    const command = run(process.execPath, ['src/cli.ts', 'migrate'], env);
    const service = run(process.execPath, ['src/server.ts'], { ...env, PORT: '0' });
    const reports = () => [command, service].map(({ output }) => output.stderr.match(waiting)?.length);
    await expect.poll(reports, { timeout: 30_000 }).toEqual([1, 1]);
    await sleep(1_500);
    expect(reports()).toEqual([1, 1]);
    await holder.end();
    expect(await command.exited).toBe(0);
    await expect.poll(() => service.output.stdout, { timeout: 30_000 }).toContain('/docs\n');
    service.child.kill('SIGTERM');
    await service.exited;
  });

  it('do not block writers while they wait for a table, and go on once it is free', async () => {
    const url = await migratedDatabase();
    // The first missing migration then adds triggers to leads.
    await stopBefore(url, '008');
    const other = createKnex({ client: 'pg', connection: url });
    const writing = await other.transaction();
    const write = 'update leads set name = name';
    const waiting =
      'select from pg_locks join pg_database on pg_database.oid = database where not granted and datname = current_database()';
    await writing.raw(write);
    let isDone = false;
    const done = migrate(url, 'production').then(() => {
      isDone = true;
    });
    // The migration waits for the transaction.
    await expect.poll(() => query(url, waiting)).toHaveLength(1);
    await query(url, write);
    expect(isDone).toBe(false);
    await writing.commit();
    await done;
    await other.destroy();
  });

  it('of a newer version do not prevent this one from starting', async () => {
    const url = await migratedDatabase();
    await query(
      url,
      `insert into knex_migrations (name, batch) values ('29990101000000_of_a_newer_version.ts', 2)`,
    );
    expect(await migrate(url, 'production')).toEqual([]);
  });

  it("fail with PostgreSQL's message alone, without the SQL of the migration", async () => {
    const url = await freshDatabase();
    await query(url, 'create view users as select');
    await expect(migrate(url, 'production')).rejects.toThrow(/^relation "users" already exists$/);
  });
});

describe('a database', () => {
  it('is created once, even if several processes ask for it concurrently', async () => {
    const url = inject('serverUrl');
    const name = `with "quotes" ${process.pid}`;
    await Promise.all(Array.from({ length: 6 }, () => ensureDatabase(url, name)));
    const found = `select count(*)::int as n from pg_database where datname = '${name}'`;
    expect(await query(url, found)).toEqual([{ n: 1 }]);
  });
});

describe('the encoding and locale of a database', () => {
  it.each([
    ['the locale C', "locale_provider libc locale 'C'"],
    ['no encoding', "encoding 'SQL_ASCII' locale_provider libc locale 'C'"],
    ['an encoding for few languages', "encoding 'LATIN1' locale_provider libc locale 'C'"],
  ])('are rejected before anything is created: %s', async (_, locale) => {
    const url = await freshDatabase(locale);
    await expect(migrate(url, 'production')).rejects.toThrow(
      /^The database migrate_\S+ does not map upper to lower case .*CREATE DATABASE migrate_\S+ .* LOCALE 'C.UTF-8'\.$/,
    );
    expect(await query(url, "select to_regclass('leads') as leads")).toEqual([{ leads: null }]);
  });

  it.each([
    ['libc', "locale_provider libc locale 'C.UTF-8'"],
    ['ICU', "locale_provider icu icu_locale 'und' locale 'C'"],
  ])('work with %s: emails are unique and names are found, whatever their case', async (_, locale) => {
    const url = await freshDatabase(locale);
    await migrate(url, 'production');
    const add = (name: string, email: string) =>
      query(url, {
        text: 'insert into users (id, name, email) values (gen_random_uuid(), $1, $2)',
        values: [name, email],
      });
    await add('ЖАННА Ångström', 'жанна@example.com');
    await expect(add('Other', 'ЖАННА@example.com')).rejects.toThrow(/users_email_key/);
    const found = {
      text: 'select name from users where search @@ search_query($1)',
      values: ['жанна ANGSTRÖM'],
    };
    expect(await query(url, found)).toEqual([{ name: 'ЖАННА Ångström' }]);
  });
});

describe('from the command line', () => {
  const command = (...args: string[]) => cli({ DATA_DIR: fixture.dataDir }, ...args);
  const report = (title: string) => new RegExp(String.raw`^${title}:\n\n(  \w+ +\S+\n)+\n$`);

  it('both databases are migrated, with or without a running server', async () => {
    expect(await command('init')).toMatchObject({ code: 0, stderr: '' });
    const server = await fixture.start();
    const counts = () =>
      Promise.all(
        environments.map(async (environment) => {
          const url = server.url(`lead_pipeline_${environment}`);
          return (await query(url, 'select from knex_migrations')).length;
        }),
      );
    const all = await counts();
    const { length } = await findNames();
    expect(all).toEqual([length, length]);
    await stopBefore(server.url('lead_pipeline_production'));
    expect((await command('migrate')).stdout).toMatch(report('Migrations run'));
    expect((await command('migrate')).stdout).toBe('Migrations run: none.\n');
    expect(isAlive(fixture.postmaster)).toBe(true);
    expect(await counts()).toEqual(all);
  });

  it('a missing database is reported in one line', async () => {
    const url = new URL(inject('serverUrl'));
    url.pathname = '/nowhere';
    const sandbox = new URL(url);
    sandbox.pathname = '/nowhere_either';
    const env = { DATABASE_URL: url.href, SANDBOX_DATABASE_URL: sandbox.href, SECRET_KEY: '0'.repeat(64) };
    expect(await cli(env, 'migrate')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^The \w+ database at \S+ can't be used\. PostgreSQL says: database "nowhere(_either)?" does not exist\. .+\n$/,
      ),
    });
  });

  it('a configuration error is reported in one line', async () => {
    const failed = await cli({ HOST: '0.0.0.0' }, 'migrate');
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringMatching(/^HOST is .*\n$/) });
  });
});
