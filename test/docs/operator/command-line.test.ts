import { afterEach, describe, expect, it, vi } from 'vitest';
import { openChapter } from '../../support/chapter.ts';
import { missingLines } from '../../support/markdown.ts';
import { expectRefusal, expectSuccess, missingAt, Operator, places } from '../../support/operator.ts';

vi.setConfig({ testTimeout: 240_000 });

const chapter = openChapter('docs/command-line.md');
const blocks = chapter.blocks(/^(Send requests|Export and import)/);
const requests = chapter.block('Send requests');
const files = chapter.block('Export and import');
const all = blocks.map(({ text }) => text).join('');

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
    const stopped = await operator.paste(all, { times: 2 });
    expectSuccess(stopped);
    for (const command of blocks) expect(missingLines(command, stopped.stdout)).toEqual([]);
    expect(stopped.stderr).toMatch(/^Using the sandbox database (in \S+\.data|127\.0\.0\.1:\d+\/\w+)\.$/m);
    await operator.start();
    const running = await operator.paste(all);
    expectSuccess(running);
    expect([...stopped.changes, ...running.changes]).toEqual([]);
  });

  it('change nothing when SIGKILL ends any of them, and then work', async ({ skip }) => {
    const reason = missingAt(place);
    if (reason !== undefined) skip(reason);
    operator = await Operator.at(place);
    for (const when of [/^Usage: /m, /^Using the sandbox database/m, /^API clients:/m]) {
      const killed = await operator.paste(all, { interrupt: { signal: 'SIGKILL', when } });
      expect(killed).toMatchObject({ status: 137, changes: [] });
      expectSuccess(await operator.run(all));
    }
  });

  it('send requests to the running service, and say so if none answers', async ({ skip }) => {
    const reason = missingAt(place);
    if (reason !== undefined) skip(reason);
    operator = await Operator.at(place);
    expectRefusal(
      await operator.paste(requests),
      /No service answers at http:\/\/127\.0\.0\.1:\d+\. Start it/,
    );
    await operator.start();
    // The service of the test listens on another port.
    const before =
      "export PUBLIC_URL=http://127.0.0.1:3000\nprintf 'Name,Email\\nBob,bob@example.com\\n' > leads.csv\n";
    const sent = await operator.paste(`${before}${requests}${files}rm leads.csv\n`);
    expectSuccess(sent);
    expect(sent.stdout).toContain('"email":"ada.operator@example.com"');
    expect(sent.stdout).toContain('"status":"draft"');
    expect(sent.stdout).toMatch(/^id,name,email,[\s\S]*^Imported leads:\n/m);
  });

  it('say why they do nothing in another folder and without a database', async ({ skip }) => {
    const reason = missingAt(place);
    if (reason !== undefined) skip(reason);
    operator = await Operator.at(place);
    const unset = { DATABASE_URL: '', SANDBOX_DATABASE_URL: '', DATA_DIR: `${operator.home}/none` };
    const [, list = ''] = blocks.map(({ text }) => text);
    expectRefusal(await operator.paste(list, { cwd: operator.home }), /bin\/lead-pipeline: not found/);
    expectRefusal(await operator.paste(list, { env: unset }), /There is no database in \S+\/none\. /);
    expectRefusal(await operator.paste(requests, { env: unset }), /^No service answers at /);
  });
});
