/** `data restore` with the operator's own PostgreSQL. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hasDebianPostgres } from '../../support/debian-postgres.ts';
import { query } from '../../support/embedded.ts';
import { startNetwork } from '../../support/network.ts';
import { expectRefusal, expectSuccess, Operator } from '../../support/operator.ts';
import { call, cleanUp, getToken, newClient, startServer } from '../../support/process.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const backUp = 'bin/lead-pipeline data backup ~/leads.backup';
const restore = 'bin/lead-pipeline data restore ~/leads.backup --yes --database leads';
const asSuperuser = () => `${restore} --server-url ${operator.url('postgres')}`;

let operator: Operator;

beforeEach(async () => {
  operator = await Operator.at("Debian's PostgreSQL 15");
});

afterEach(async () => {
  await cleanUp();
  await operator.leave();
});

afterAll(cleanUp);

const databases = async (like = '%') =>
  (await query(operator.url('postgres'), {
    text: `select datname as name, pg_get_userbyid(datdba) as owner, datallowconn as open, datcollate as collate
        from pg_database where datname like $1 and not datistemplate and datname <> 'postgres' order by datname`,
    values: [like],
  })) as { name: string; owner: string; open: boolean; collate: string }[];

const names = async () =>
  (await operator.sql('production', 'select name from leads order by name')).map(({ name }) => name);

async function allowDatabases(): Promise<void> {
  await query(operator.url('postgres'), 'alter role api createdb');
}

describe.skipIf(!hasDebianPostgres)('a restore', () => {
  beforeEach(async () => {
    expectSuccess(await operator.run(backUp));
    await operator.sql('production', "delete from leads where name = 'Ada'");
  });

  it('replaces the databases, with their owner and locale, and closes the former ones', async () => {
    await allowDatabases();
    const before = await databases();
    const restored = await operator.run(restore);
    expectSuccess(restored);
    expect(await names()).toEqual(['Ada', 'Grace']);
    const after = await databases();
    const former = after.filter(({ name }) => name.includes('_before_'));
    expect(after.filter((one) => !former.includes(one))).toEqual(before);
    expect(former.map(({ name, open }) => [name.replace(/\d{14}/, 'T'), open])).toEqual([
      ['leads_before_T', false],
      ['leads_sandbox_before_T', false],
    ]);
    for (const { name } of former) expect(restored.stderr).toContain(`DROP DATABASE "${name}";`);
    const client = await newClient(operator.env.DATABASE_URL ?? '');
    const server = await startServer({ ...operator.env, DATA_DIR: operator.home });
    const token = await getToken(`${server.url}/v1`, client);
    const added = await call(token, 'POST', `${server.url}/v1/leads`, {
      name: 'Eva',
      email: 'eva@example.com',
    });
    expect(added.status).toBe(201);
    expect(server.output.stderr).toContain('is a copy');
    await server.stop();
  });

  it('says what the role lacks, and works with --server-url for one that has it', async () => {
    expectRefusal(
      await operator.paste(restore),
      /The role api may not create databases\. .+ALTER ROLE "api" CREATEDB;/,
    );
    expectSuccess(await operator.run(asSuperuser()));
    expect(await names()).toEqual(['Ada', 'Grace']);
    expect((await databases('leads')).map(({ owner }) => owner)).toEqual(['api']);
  });

  it("keeps an owner that is not the service's role, which may use the database as before", async () => {
    for (const name of ['leads', 'leads_sandbox']) {
      await query(operator.url('postgres'), `alter database ${name} owner to tester`);
      await query(operator.url(name), 'grant usage, create on schema public to api');
    }
    expectSuccess(await operator.run(asSuperuser()));
    expect((await databases('leads')).map(({ owner }) => owner)).toEqual(['tester']);
    expectSuccess(await operator.run('bin/lead-pipeline migrate'));
  });

  it('makes the databases on an empty server, for a trial', async () => {
    const [empty, file] = [await Operator.withEmptyServer(), join(operator.home, 'leads.backup')];
    try {
      await query(empty.url('postgres'), 'create role api login createdb');
      const at = (name: string) => empty.url(name).replace('tester', 'api');
      const env = { ...operator.env, DATABASE_URL: at('trial'), SANDBOX_DATABASE_URL: at('trial_sandbox') };
      const made = await empty.run(`bin/lead-pipeline data restore ${file} --yes --database trial`, { env });
      expectSuccess(made);
      expect(await query(at('trial'), 'select name from leads order by name')).toEqual([
        { name: 'Ada' },
        { name: 'Grace' },
      ]);
      expect(made.stderr).not.toContain('former data');
    } finally {
      await empty.leave();
    }
  });

  it('is refused while a service is connected, which goes on', async () => {
    await allowDatabases();
    const server = await startServer({ ...operator.env, DATA_DIR: operator.home });
    expectRefusal(
      await operator.paste(restore),
      /The database leads is in use, and nothing was changed\. .+pid \d+ of PostgreSQL.+lead-pipeline-api.+role api/,
    );
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    await server.stop();
    // A session of a role about which this one may know little.
    const other = new pg.Client(operator.url('leads'));
    await other.connect();
    expectRefusal(await operator.paste(restore), /is in use, and nothing was changed\. .+role tester/);
    await other.end();
  });

  it('locks a process out that was not connected at that moment: it never writes to the former database', async () => {
    await allowDatabases();
    const url = operator.env.DATABASE_URL ?? '';
    const network = await startNetwork(url);
    const server = await startServer({
      ...operator.env,
      DATABASE_URL: network.through(url),
      ENVIRONMENTS: 'production',
      DATA_DIR: operator.home,
    });
    const client = await newClient(url);
    const token = await getToken(`${server.url}/v1`, client);
    const add = (name: string) =>
      call(token, 'POST', `${server.url}/v1/leads`, { name, email: `${name}@example.com` });
    expect((await add('before')).status).toBe(201);
    network.freezeNew(true);
    network.lead(url);
    await vi.waitFor(async () => expectSuccess(await operator.run(restore)), { timeout: 60_000 });
    network.freezeNew(false);
    network.lead(url);
    const { status } = await add('after');
    const [{ name: former } = { name: '' }] = await databases('leads\\_before\\_%');
    await query(operator.url('postgres'), `alter database ${former} allow_connections true`);
    const written = async (database: string) =>
      (await query(operator.url(database), "select name from leads where name in ('before', 'after')")).map(
        ({ name }) => name,
      );
    expect(await written(former)).toEqual(['before']);
    // Its client is gone in the restored database, whose token it still has.
    expect(status).not.toBe(201);
    expect(await written('leads')).toEqual([]);
    await server.stop();
    await network.close();
  });

  it.each([
    ['another SECRET_KEY', { SECRET_KEY: 'ab'.repeat(32) }, /made with another secret key/],
    ['no DATABASE_URL', { DATABASE_URL: '' }, /DATABASE_URL is missing/],
    [
      'no variables',
      { DATABASE_URL: '', SANDBOX_DATABASE_URL: '', SECRET_KEY: '' },
      /is a backup of your own PostgreSQL\. Set DATABASE_URL/,
    ],
  ])('with %s changes nothing', async (_what, env, why) => {
    await allowDatabases();
    expectRefusal(await operator.paste(restore, { env }), why);
  });

  it('of a backup of one environment restores that one', async () => {
    await allowDatabases();
    const env = { ENVIRONMENTS: 'sandbox' };
    expectSuccess(await operator.run('bin/lead-pipeline data backup ~/sandbox.backup', { env }));
    const one = 'bin/lead-pipeline data restore ~/sandbox.backup --yes --database';
    expectRefusal(
      await operator.paste(`${one} leads`),
      /has only the sandbox database, .+ set ENVIRONMENTS=sandbox/,
    );
    expectSuccess(await operator.run(`${one} leads_sandbox`, { env }));
    expect(await names()).toEqual(['Grace']);
  });

  it.each(['SIGINT', 'SIGKILL'] as const)(
    'that %s interrupts has changed no database, and a repeated one removes what is left',
    async (signal) => {
      await allowDatabases();
      const began = operator.run(restore, { interrupt: { signal, when: /production, backup/ } });
      expect((await began).status).not.toBe(0);
      expect(await names()).toEqual(['Grace']);
      expectSuccess(await operator.run(restore));
      expect(await names()).toEqual(['Ada', 'Grace']);
      expect(await databases('%\\_restoring\\_%')).toEqual([]);
      expect(readdirSync(operator.home).filter((name) => name.includes('unpacked'))).toEqual([]);
    },
  );
});
