/** What the service reports if its role lacks privileges. The commands that it suggests must suffice. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { explainError } from '../../src/process/explain.ts';
import { query } from '../support/embedded.ts';
import { cli } from '../support/process.ts';

const name = `grants_${randomUUID().replaceAll('-', '')}`;
/** Another role. The service's role and its database are both called `name`. */
const other = `${name.slice(0, 40)}_other`;
const url = new URL(inject('serverUrl'));
const asAdmin = (sql: string) => query(url.href, sql);

/** Runs SQL in the service's database. */
function inside(sql: string) {
  const there = new URL(url);
  there.pathname = name;
  return query(there.href, sql);
}

/** For the service's role. */
function ownUrl(): string {
  const own = new URL(url);
  own.pathname = name;
  own.username = name;
  own.password = 'secret';
  // Removes parameters that only a superuser may set.
  own.search = '';
  return own.href;
}

async function start(): Promise<string> {
  return migrate(ownUrl(), 'production').then((names) => `${names.length} migrations`, explainError);
}

beforeAll(async () => {
  await asAdmin(`create role ${name} login password 'secret'`);
  await asAdmin(`create database ${name} template template0`);
  await asAdmin(`revoke all on database ${name} from public`);
});

afterAll(async () => {
  await asAdmin(`drop database ${name}`);
  await asAdmin(`drop role ${name}`);
});

describe('a role that lacks', () => {
  it('the privileges to connect and to create objects gets commands that grant them', async () => {
    expect(await start()).toBe(
      `PostgreSQL says: permission denied for database "${name}". Run: GRANT CONNECT, TEMPORARY ON DATABASE … TO …; ` +
        'with that database and the role of the service.',
    );
    await asAdmin(`grant connect on database ${name} to ${name}`);
    const faults = (await start()).split('\n');
    expect(faults).toEqual([
      `The role ${name} may not create tables in the schema public of the database ${name}, as migrations do. ` +
        `Run in that database: GRANT USAGE, CREATE ON SCHEMA public TO ${name};`,
      `The role ${name} may not create temporary tables in the database ${name}. ` +
        `Run: GRANT TEMPORARY ON DATABASE ${name} TO ${name};`,
      `The role ${name} may not create the extension unaccent in the database ${name}. Run as another role, in that ` +
        `database: CREATE EXTENSION unaccent SCHEMA public; or: GRANT CREATE ON DATABASE ${name} TO ${name};`,
    ]);
    for (const fault of faults) await inside(/(CREATE EXT.*?;|GRANT .*?;)/.exec(fault)?.[1] ?? '');
    expect(await start()).toMatch(/^[1-9]\d* migrations$/);
    expect(await start()).toBe('0 migrations');
  });

  it('access to the schema gets the command that grants it', async () => {
    await inside(`revoke all on schema public from public, ${name}`);
    expect(await start()).toContain(`GRANT USAGE, CREATE ON SCHEMA public TO ${name};`);
    await inside(`grant usage, create on schema public to ${name}`);
  });

  it('ownership of restored tables gets the command that transfers them', async () => {
    await asAdmin(`create role ${other}`);
    await inside(`reassign owned by ${name} to ${other}`);
    const command = `REASSIGN OWNED BY ${other} TO ${name};`;
    const fault =
      `Tables in the database ${name} belong to ${other}. The service connects as ${name}, which must own them. ` +
      `Restore them with pg_restore --no-owner --role=${name}, or run in that database: ${command}`;
    expect(await start()).toBe(fault);
    const sessions = await asAdmin(`select from pg_stat_activity where datname = '${name}'`);
    expect(sessions).toEqual([]);
    const env = { DATABASE_URL: ownUrl(), ENVIRONMENTS: 'production', SECRET_KEY: '0'.repeat(64) };
    expect(await cli(env, 'migrate')).toEqual({ code: 1, stdout: '', stderr: `${fault}\n` });
    await inside(command);
    await asAdmin(`drop role ${other}`);
    expect(await start()).toBe('0 migrations');
  });
});
