import { afterEach, describe, expect, it, vi } from 'vitest';
import { openChapter } from '../../support/chapter.ts';
import { commandsOf, missingLines, readPage } from '../../support/markdown.ts';
import { expectRefusal, expectSuccess, missingAt, Operator, places } from '../../support/operator.ts';

vi.setConfig({ testTimeout: 240_000 });

const path = 'docs/command-line.md';
const chapter = openChapter(path);
const blocks = commandsOf(readPage(path)).map((command, index, all) => ({
  ...command,
  block: chapter.block(
    command.section,
    all.slice(0, index).filter(({ section }) => section === command.section).length,
  ),
}));

describe.each(places)('the commands of the chapter on %s', (place) => {
  let operator: Operator | undefined;

  afterEach(async () => {
    await operator?.leave();
    operator = undefined;
  });

  it('print what it says and change nothing, with the service or without it, and twice', async ({ skip }) => {
    const reason = missingAt(place);
    if (reason !== undefined) skip(reason);
    operator = await Operator.at(place);
    expectSuccess(await operator.run('bin/lead-pipeline clients create --environment sandbox --name Test'));
    const all = blocks.map(({ block }) => block).join('');
    const stopped = await operator.paste(all, { times: 2 });
    expectSuccess(stopped);
    for (const command of blocks) expect(missingLines(command, stopped.stdout)).toEqual([]);
    expect(stopped.stderr).toMatch(/^Using the sandbox database (in \S+\.data|127\.0\.0\.1:\d+\/\w+)\.$/m);
    await operator.start();
    const running = await operator.paste(all);
    expectSuccess(running);
    expect([...stopped.changes, ...running.changes]).toEqual([]);
  });

  it('say why they do nothing in another folder and without a database', async ({ skip }) => {
    const reason = missingAt(place);
    if (reason !== undefined) skip(reason);
    operator = await Operator.at(place);
    const unset = { DATABASE_URL: '', SANDBOX_DATABASE_URL: '', DATA_DIR: `${operator.home}/none` };
    const [, list = '', exports = ''] = blocks.map(({ block }) => block);
    expectRefusal(await operator.paste(list, { cwd: operator.home }), /bin\/lead-pipeline: not found/);
    for (const block of [list, exports])
      expectRefusal(await operator.paste(block, { env: unset }), /There is no database in \S+\/none\. /);
  });
});
