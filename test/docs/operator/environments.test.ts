/** The blocks of docs/environments.md: those of its operators, and those that follow the tour. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../../src/process/free-port.ts';
import { openChapter } from '../../support/chapter.ts';
import { tour } from '../../support/newcomer.ts';
import { expectRefusal, expectSuccess, missingAt, Operator, places } from '../../support/operator.ts';
import { openShell } from '../../support/shell.ts';

vi.setConfig({ testTimeout: 240_000 });

const chapter = openChapter('docs/environments.md');
const startAlone = chapter.block('Run one alone');
const label = chapter.block('A database knows its environment');
const adopt = chapter.block('Copies of a database');
const markAsCopies = chapter.block('Copies of a database', 1);
const steps = chapter.blocks(/^(Run one alone|A database knows its environment|Copies of a database)$/);

let operator: Operator;

const open = async (place: (typeof places)[number], skip: (reason?: string) => void) => {
  const reason = missingAt(place);
  if (reason !== undefined) skip(reason);
  operator = await Operator.at(place);
};

afterEach(() => operator?.leave());

/** The operator types the name of the database when the command asks for it. */
const answer = (name: string, block: string) => `echo ${name} | script -qec '${block.trim()}' /dev/null`;

describe.each(places)('on %s', (place) => {
  it.for(['SIGINT', 'SIGKILL'] as const)(
    'production runs alone, a second start beside it says why not, and %s ends it',
    async (signal, { skip }) => {
      await open(place, skip);
      const port = String(await freePort());
      const statusOf = async (url: string) =>
        (await operator.run(`curl -so /dev/null -w '%{http_code}' http://127.0.0.1:${port}${url}`)).stdout;
      const whileRunning = async () => {
        await expect.poll(() => statusOf('/readyz'), { timeout: 60_000 }).toBe('200');
        expect(await statusOf('/sandbox/v1/leads')).toBe('404');
        expectRefusal(await operator.paste(startAlone, { env: { PORT: port } }), new RegExp(port));
      };
      const interrupt = { signal, when: whileRunning };
      const ended = await operator.run(startAlone, { env: { PORT: port }, interrupt });
      expect(ended.status).toBe(signal === 'SIGINT' ? 130 : 137);
      const names = await operator.sql('production', 'select name from leads order by name');
      expect(names).toEqual([{ name: 'Ada' }, { name: 'Grace' }]);
    },
  );

  it('labels and copies stay as they are without need, in the wrong folder and without a database', async ({
    skip,
  }) => {
    await open(place, skip);
    const needless = await operator.paste(`${label}${adopt}`, { times: 2 });
    expectSuccess(needless);
    expect(needless.stdout).toMatch(/has this label already:.*is not a copy\. Nothing has changed/s);
    expect(needless.changes).toEqual([]);
    const unset = { DATABASE_URL: '', SANDBOX_DATABASE_URL: '', DATA_DIR: `${operator.home}/none` };
    for (const block of [label, adopt]) {
      expectRefusal(await operator.paste(block, { cwd: operator.home }), /bin\/lead-pipeline: not found/);
      expectRefusal(await operator.paste(block, { env: unset }), /There is no database in \S+\/none\. /);
    }
    expectRefusal(await operator.paste(startAlone, { cwd: operator.home }), /package\.json/);
    expectRefusal(await operator.paste(markAsCopies, { env: unset }), /DATABASE_URL: is not set/);
  });
});

describe("on Debian's PostgreSQL 15", () => {
  const place = "Debian's PostgreSQL 15";

  it('production gets another label when its name is typed, and not when SIGKILL comes before', async ({
    skip,
  }) => {
    await open(place, skip);
    const swapped = {
      SANDBOX_DATABASE_URL: operator.env.DATABASE_URL ?? '',
      DATABASE_URL: operator.url('none'),
    };
    expectRefusal(await operator.paste(label, { env: swapped }), /leads +2\n.*--yes --database <name>/s);
    const wrong = await operator.paste(answer('leads_sandbox', label), { env: swapped });
    expect(wrong.changes).toEqual([]);
    const interrupt = { signal: 'SIGKILL', when: /type the name/ } as const;
    const waiting = `sleep 9 | script -qec '${label.trim()}' /dev/null`;
    const killed = await operator.paste(waiting, { env: swapped, interrupt });
    expect(killed).toMatchObject({ status: 137, changes: [] });
    const done = await operator.paste(answer('leads', label), { env: swapped });
    expect(done.stdout).toContain('The database has a new label:');
    expect(done.changes).toEqual(['table leads.database_label: changed']);
  });

  it('both databases are marked as copies, twice, and are adopted when their name is typed', async ({
    skip,
  }) => {
    await open(place, skip);
    const marked = await operator.paste(markAsCopies, { times: 2 });
    expectSuccess(marked);
    expect(marked.changes).toEqual([
      'table leads.database_label: changed',
      'table leads_sandbox.database_label: changed',
    ]);
    expectRefusal(await operator.paste(adopt), /This starts its work.*--yes --database <name>/s);
    const interrupt = { signal: 'SIGKILL', when: /type the name/ } as const;
    const killed = await operator.paste(`sleep 9 | script -qec '${adopt.trim()}' /dev/null`, { interrupt });
    expect(killed).toMatchObject({ status: 137, changes: [] });
    const done = await operator.paste(answer('leads', adopt));
    expect(done.stdout).toContain('The database is adopted.');
    expect(done.changes).toEqual(['table leads.database_label: changed']);
  });
});

it('the other blocks work after the first block of the tour, twice', async () => {
  operator = await Operator.at('the embedded PostgreSQL');
  await operator.start();
  const shell = openShell(operator.folder);
  try {
    for (const step of [...tour.slice(0, 1), ...steps, ...steps]) await operator.follow(shell, step);
  } finally {
    shell.close();
  }
});

it('without the variables of the tour, or in another folder, the other blocks change nothing', async () => {
  operator = await Operator.at('the embedded PostgreSQL');
  const { home: cwd } = operator;
  for (const { text } of steps) expect((await operator.run(text, { cwd })).status).not.toBe(0);
  const { changes } = await operator.paste(steps.map(({ text }) => text).join(''), { cwd });
  expect(changes).toEqual([]);
});
