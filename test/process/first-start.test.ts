/** The output of a start at a terminal, which script(1) provides. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it, vi } from 'vitest';
import { cleanUp, credentialsOf, newDataDir, run } from '../support/process.ts';

afterAll(cleanUp);

vi.setConfig({ testTimeout: 60_000 });

const dataDir = newDataDir();

/** Starts the service at a terminal, and ends it with Ctrl-C after its banner. Returns what it printed. */
async function startAtTerminal(): Promise<string> {
  const command = [process.execPath, 'src/server.ts'];
  const options =
    process.platform === 'linux' ? ['-qec', command.join(' '), '/dev/null'] : ['-q', '/dev/null', ...command];
  const { child, output, exited } = run('script', options, { DATA_DIR: dataDir, PORT: '0' });
  while (!output.stdout.includes('delete the data folder.')) {
    if (child.exitCode !== null) throw new Error(output.stdout + output.stderr);
    await sleep(20);
  }
  child.stdin.write('\x03');
  await exited;
  return output.stdout;
}

it('the first start prints the secrets to a terminal, and says where they are kept', async () => {
  const printed = await startAtTerminal();
  const { production, sandbox } = credentialsOf(dataDir);
  for (const { client_id, client_secret } of [production, sandbox]) {
    expect(printed).toContain(`client_id     ${client_id}`);
    expect(printed).toContain(`client_secret ${client_secret}`);
  }
  expect(printed).toContain('The secrets are shown only this once.');
});

it('a later start prints where the secrets are kept, but not the secrets', async () => {
  const printed = await startAtTerminal();
  expect(printed).toContain(`credentials   ${dataDir}/credentials.json`);
  expect(printed).not.toContain('lps_');
});
