/** Which blocks of the operator chapters are run, and what the rehearsal of a block notices. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { isRehearsed, obstacles, operatorChapters } from '../../support/chapter.ts';
import { commandsOf, readPage } from '../../support/markdown.ts';
import { expectRefusal, expectSuccess, missingAt, Operator, places } from '../../support/operator.ts';

vi.setConfig({ testTimeout: 120_000 });

describe('the blocks of the operator chapters', () => {
  const blocks = operatorChapters().flatMap((path) =>
    commandsOf(readPage(path)).map((command) => ({ path, ...command })),
  );

  it('are run by a test, unless they say what they need that no test has', () => {
    const found = blocks
      .filter(({ isRunnable }) => !isRunnable)
      .filter(({ text, obstacle = '' }) => !obstacles[obstacle]?.test(text))
      .map(({ path, section, text }) => `${path}, ${section}: ${text}`);
    expect(found).toEqual([]);
  });

  it('never call npx, which runs a stranger’s package in the wrong folder', () => {
    const found = blocks.filter(({ path, text }) => isRehearsed(path) && /\bnpx\b/.test(text));
    expect(found.map(({ path, text }) => `${path}: ${text}`)).toEqual([]);
  });
});

describe.each(places)('the rehearsal of a block on %s', (place) => {
  let operator: Operator;

  const open = async (skip: (reason?: string) => void) => {
    const reason = missingAt(place);
    if (reason !== undefined) skip(reason);
    operator = await Operator.at(place);
  };

  afterEach(() => operator?.leave());

  it('sees what changed in databases and files, and nothing else', async ({ skip }) => {
    await open(skip);
    const unchanged = await operator.paste('bin/lead-pipeline clients list --environment sandbox');
    expectSuccess(unchanged);
    expect(unchanged.changes).toEqual([]);
    const { changes } = await operator.paste(`bin/lead-pipeline sandbox reset --environment sandbox --yes
      echo 1 > note; chmod 600 .env.example; echo >> compose.yaml`);
    const isAboutPeople = (change: string) => /\.(leads|clients)\b/.test(change) || /^file/.test(change);
    expect(changes.filter(isAboutPeople)).toEqual([
      'file .env.example: 644 → 600',
      'file compose.yaml: changed',
      'file note: new',
      expect.stringMatching(/^table \w+sandbox\.leads: 1 rows → 0 rows$/),
    ]);
  });

  it('unsets variables, pastes twice, changes the folder, and interrupts', async ({ skip }) => {
    await open(skip);
    const slip = { env: { PLACE: 'here', npm_config_offline: '' }, cwd: operator.home, times: 2 };
    const pasted = await operator.paste('echo "$PLACE $npm_config_offline $PWD" >> ~/log', slip);
    expect(pasted.changes).toEqual(['file ~/log: new']);
    expect((await operator.run('cat ~/log')).stdout).toBe(`here  ${operator.home}\n`.repeat(2));
    const long = 'echo begun; sleep 60; echo 1 > note';
    for (const [signal, status] of [
      ['SIGINT', 130],
      ['SIGKILL', 137],
    ] as const) {
      const ended = await operator.paste(long, { interrupt: { signal, when: /begun/ } });
      expect(ended).toMatchObject({ status, changes: [] });
    }
    expectRefusal(await operator.paste('bin/lead-pipelin', slip), /bin\/lead-pipelin: not found/);
  });
});
