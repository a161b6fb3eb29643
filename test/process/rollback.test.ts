/** `migrate:rollback`, with made-up releases after 1.0.0. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sessionTimeouts, timeoutNames } from '../../src/db/pool/timeouts.ts';
import { query } from '../support/embedded.ts';
import { installLaterRelease } from '../support/later-release.ts';
import { expectRefusal, expectSuccess, missingAt, Operator, places } from '../support/operator.ts';
import { MISSING, type Pooler, startPgBouncer } from '../support/pgbouncer.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const databases = {
  'the embedded PostgreSQL': { production: 'lead_pipeline_production', sandbox: 'lead_pipeline_sandbox' },
  "Debian's PostgreSQL 15": { production: 'leads', sandbox: 'leads_sandbox' },
};

describe.each(places)('a rollback on %s', (place) => {
  const isEmbedded = place === 'the embedded PostgreSQL';
  const { production, sandbox } = databases[place];
  const rollBack = (to: string) => `bin/lead-pipeline migrate:rollback --environment production --to ${to}`;
  const yes = `--yes --database ${production}`;
  let operator: Operator | undefined;

  beforeEach(({ skip }) => {
    const reason = missingAt(place);
    if (reason !== undefined) skip(reason);
  });

  afterEach(async () => {
    await operator?.leave();
    operator = undefined;
  });

  /** An installation of 1.2.0, with data that only it has. */
  async function upgrade(more?: Record<string, string>): Promise<Operator> {
    operator = await Operator.at(place);
    installLaterRelease(operator, more);
    expectSuccess(await operator.run('bin/lead-pipeline migrate'));
    await operator.sql('production', `update leads set score = 3 where name = 'Ada'`);
    await operator.sql('production', 'insert into scores select id, 3 from leads');
    return operator;
  }

  it('says what it deletes, asks for the name of the database, and goes back to the release', async () => {
    const at = await upgrade();
    const asked = await at.paste(rollBack('1.0.0'));
    expectRefusal(asked, /repeat the command with --yes --database <name>/);
    expect(asked.stderr).toContain(
      [
        `This rolls the production database ${production} back to 1.0.0, by 2 migrations. It deletes this data for good:`,
        '  table ratings: 0 rows',
        '  table scores: 2 rows',
        '  column leads.score: 1 row',
        '  column leads.unused: 0 rows',
        '  changed rows of leads: 1 row',
        '',
      ].join('\n'),
    );
    expectRefusal(await at.paste(`${rollBack('1.0.0')} --yes`), /--yes also requires the name of the data/);
    const other = await at.paste(`${rollBack('1.0.0')} --yes --database ${sandbox}`);
    expectRefusal(other, new RegExp(`The database is called ${production}, not ${sandbox}\\.`));

    const done = await at.paste(`${rollBack('1.0.0')} ${yes}`);
    expectSuccess(done);
    expect(done.stdout).toMatch(/ 20270201000000_ratings\.ts\n .* 20270101000000_scores\.ts\n/);
    expect(done.changes).toEqual([
      `database ${production}: changed`,
      expect.stringMatching(/^table \w+\.knex_migrations: \d+ rows → \d+ rows$/),
      `table ${production}.leads: changed`,
      `table ${production}.ratings: gone`,
      `table ${production}.scores: gone`,
    ]);
    expect(await at.sql('production', 'select name from leads order by name')).toHaveLength(2);
    const again = await at.paste(`${rollBack('1.0.0')} ${yes}`);
    expect(again).toMatchObject({ status: 0, stdout: 'Migrations rolled back: none.\n', changes: [] });
  });

  it('is refused while the service runs', async () => {
    const at = await upgrade();
    await at.start();
    const refused = await at.paste(`${rollBack('1.0.0')} ${yes}`);
    expectRefusal(refused, new RegExp(`The database ${production} is in use, so nothing was rolled back:\n`));
    expect(refused.stderr).toMatch(
      /^ {2}pid \d+ of PostgreSQL, lead-pipeline-api, role \w+, from 127\.0\.0\.1, /m,
    );
  });

  // The rest doesn't depend on the server.
  if (isEmbedded) return;

  it('goes back to any release since 1.0.0, never below, and never in the other environment', async () => {
    const at = await upgrade();
    for (const release of ['0.9.0', '1.3.0', '014']) {
      expectRefusal(
        await at.paste(`${rollBack(release)} ${yes}`),
        /There is no release \S+ to go back to\. Those that there are: 1\.0\.0, 1\.1\.0, 1\.2\.0\./,
      );
    }
    const { DATABASE_URL = '', SANDBOX_DATABASE_URL = '' } = at.env;
    const swapped = { DATABASE_URL: SANDBOX_DATABASE_URL, SANDBOX_DATABASE_URL: DATABASE_URL };
    const inSandbox = `${rollBack('1.0.0')} --yes --database ${sandbox}`;
    expectRefusal(await at.paste(inSandbox, { env: swapped }), /leads_sandbox is labelled sandbox/);
    const command = 'bin/lead-pipeline migrate:rollback';
    expectRefusal(await at.paste(`${command} --environment production ${yes}`), /--to <release>/);
    expectRefusal(await at.paste(`${command} --to 1.0.0 ${yes}`), /--environment <environment>/);
    expectSuccess(await at.run(`${rollBack('1.1.0')} ${yes}`));
    expect(await at.sql('production', 'select score from scores')).toHaveLength(2);
  });

  it('is refused if the service starts while the operator reads the question', async () => {
    const at = await upgrade();
    const typed = `(until [ -e ~/started ]; do sleep 0.1; done; echo ${production})`;
    const answering = at.paste(`${typed} | script -qec '${rollBack('1.0.0')}' /dev/null; rm ~/started`);
    await expect.poll(() => at.sql('production', isAsking), { timeout: 30_000 }).toHaveLength(1);
    const starting = at.start();
    await expect.poll(() => at.sql('production', isStarting), { timeout: 30_000 }).toHaveLength(1);
    await at.run('touch ~/started');
    const { stdout, changes } = await answering;
    expect(stdout).toMatch(/type the name of the database, \w+: .*is in use, so nothing was rolled back/s);
    expect(changes.filter((change) => /scores|ratings/.test(change))).toEqual([]);
    await starting;
  });

  it('takes effect as a whole or not at all, also when it is interrupted', async () => {
    const down = `select pg_sleep(case when exists (select from leads where name = 'Slow') then 2 else 0 end)`;
    const at = await upgrade({
      '20270115000000_slow.ts': `
        export const up = () => undefined;
        export const down = async (knex) => {
          console.log('half');
          await knex.raw(\`${down}\`);
          if (process.env.BROKEN) throw new Error('There is no way back.');
        };`,
    });
    const broken = await at.paste(`${rollBack('1.0.0')} ${yes}`, { env: { BROKEN: 'yes' } });
    expectRefusal(broken, /There is no way back\./);
    await at.sql('production', `update leads set name = 'Slow' where name = 'Grace'`);
    for (const signal of ['SIGINT', 'SIGKILL'] as const) {
      // The first run is the rehearsal, which says what it would delete.
      const interrupt = { signal, when: /half.*half/s };
      const { changes, status } = await at.paste(`${rollBack('1.0.0')} ${yes}`, { interrupt });
      expect({ changes, status }).toEqual({ changes: [], status: signal === 'SIGINT' ? 130 : 137 });
    }
  });
});

describe('a rollback behind PgBouncer', () => {
  let operator: Operator | undefined;
  let pooler: Pooler | undefined;

  beforeEach(({ skip }) => {
    const reason = missingAt("Debian's PostgreSQL 15") ?? MISSING;
    if (reason !== undefined) skip(reason);
  });

  afterEach(async () => {
    await pooler?.close();
    await operator?.leave();
  });

  it('is refused without a direct URL, and while the pooler keeps connections', async () => {
    const at = await Operator.at("Debian's PostgreSQL 15");
    operator = at;
    installLaterRelease(at);
    expectSuccess(await at.run('bin/lead-pipeline migrate'));
    const { DATABASE_URL = '', SANDBOX_DATABASE_URL = '' } = at.env;
    for (const name of timeoutNames)
      await query(at.url('postgres'), `alter role api set ${name} = ${sessionTimeouts[name]}`);
    // PgBouncer needs some password in its settings.
    pooler = await startPgBouncer(DATABASE_URL.replace('api@', 'api:any@'), 3);
    const rollBack =
      'bin/lead-pipeline migrate:rollback --environment production --to 1.0.0 --yes --database leads';
    const pooled = {
      DATABASE_URL: pooler.through(DATABASE_URL),
      SANDBOX_DATABASE_URL: pooler.through(SANDBOX_DATABASE_URL),
    };
    expectRefusal(
      await at.paste(rollBack, { env: pooled }),
      /Migrations can't run through a pooler: set DATABASE_DIRECT_URL/,
    );
    const direct = { DATABASE_DIRECT_URL: DATABASE_URL, SANDBOX_DATABASE_DIRECT_URL: SANDBOX_DATABASE_URL };
    // Its own connection through the pooler is enough.
    expectRefusal(
      await at.paste(rollBack, { env: { ...pooled, ...direct } }),
      /in use.*set DATABASE_URL and SANDBOX_DATABASE_URL to.*run RECONNECT/s,
    );
    expectRefusal(await at.paste(rollBack), /is in use/);
    // RECONNECT, which takes a console, ends the same connections.
    const pooledSessions =
      "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = 'leads'";
    await query(at.url('postgres'), pooledSessions);
    expectSuccess(await at.run(rollBack));
  });
});

/** The rollback has counted what it deletes, and waits for the answer. */
const isAsking = `
  select from pg_stat_activity
  where application_name = 'lead-pipeline-api migration' and state = 'idle' and query like 'select count(%'`;

/** A service waits for the rollback's lock. */
const isStarting = `
  select from pg_stat_activity where application_name = 'lead-pipeline-api migration' and wait_event_type = 'Lock'`;
