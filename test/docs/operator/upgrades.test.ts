import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openChapter } from '../../support/chapter.ts';
import { installLaterRelease } from '../../support/later-release.ts';
import { expectRefusal, expectSuccess, missingAt, Operator, places } from '../../support/operator.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

const chapter = openChapter('docs/upgrades.md');
const migrate = chapter.block('The order of steps');
const goBack = chapter.block('Go back');

describe.each(places)('the upgrade on %s', (place) => {
  let operator: Operator | undefined;

  beforeEach(({ skip }) => {
    const reason = missingAt(place);
    if (reason !== undefined) skip(reason);
  });

  afterEach(async () => {
    await operator?.leave();
    operator = undefined;
  });

  it('migrates while the old version serves, once, and only in its folder with its variables', async () => {
    operator = await Operator.at(place);
    await operator.start();
    installLaterRelease(operator);
    const migrated = await operator.paste(migrate, { times: 2 });
    expectSuccess(migrated);
    expect(migrated.stdout).toMatch(/^Migrations run:\n.*Migrations run: none\.\n$/s);
    expect(migrated.changes).toContainEqual(expect.stringMatching(/^table \w+\.scores: new$/));
    expect(migrated.changes.filter((change) => !/^(database|table) /.test(change))).toEqual([]);

    expectRefusal(await operator.paste(migrate, { cwd: operator.home }), /bin\/lead-pipeline: not found/);
    const unset = { DATA_DIR: `${operator.home}/none`, DATABASE_URL: '', SANDBOX_DATABASE_URL: '' };
    expectRefusal(await operator.paste(migrate, { env: unset }), /There is no database in \S+\/none\. /);
  });

  it('leaves each migration done or not begun when it is interrupted, and goes on when repeated', async () => {
    operator = await Operator.at(place);
    installLaterRelease(operator, {
      '20270115000000_slow.ts': `
        export const up = async (knex) => {
          await knex.raw('create table half (column_1 integer)');
          console.log('half');
          await knex.raw('select pg_sleep(1)');
        };
        export const down = (knex) => knex.raw('drop table half');`,
    });
    const interrupted = await operator.paste(migrate, { interrupt: { signal: 'SIGKILL', when: /half/ } });
    expect(interrupted.status).toBe(137);
    expect(interrupted.changes.filter((change) => /half|ratings/.test(change))).toEqual([]);
    const repeated = await operator.paste(migrate);
    expectSuccess(repeated);
    expect(repeated.changes.filter((change) => /half|ratings/.test(change))).toHaveLength(4);
  });

  it('goes back when somebody types the name of the database, and not when the block is pasted in a script', async () => {
    operator = await Operator.at(place);
    installLaterRelease(operator);
    expectSuccess(await operator.run(migrate));
    expectRefusal(
      await operator.paste(goBack, { times: 2 }),
      /repeat the command with --yes --database <name>/,
    );
    const name = place === 'the embedded PostgreSQL' ? 'lead_pipeline_production' : 'leads';
    const typed = (answer: string) => `printf '${answer}\\n' | script -qec '${goBack.trim()}' /dev/null`;
    const other = await operator.paste(typed('production'));
    expect(other).toMatchObject({ status: 1, changes: [] });
    expect(other.stdout).toMatch(/Nothing was changed, because you did not type \w+\./);
    const back = await operator.paste(typed(name));
    expectSuccess(back);
    expect(back.changes.filter((change) => change.endsWith(': gone'))).toEqual([
      `table ${name}.ratings: gone`,
      `table ${name}.scores: gone`,
    ]);
  });
});
