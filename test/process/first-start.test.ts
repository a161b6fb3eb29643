/** The output of a start at a terminal, which script(1) provides. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it, vi } from 'vitest';
import { call, cleanUp, credentialsOf, getToken, newDataDir, run } from '../support/process.ts';

afterAll(cleanUp);

vi.setConfig({ testTimeout: 60_000 });

const dataDir = newDataDir();

/** Starts the service at a terminal, uses it, and ends it with Ctrl-C. Returns what it printed. */
async function startAtTerminal(use = async (_url: string, _printed: () => string) => {}): Promise<string> {
  const command = [process.execPath, 'src/server.ts'];
  const options =
    process.platform === 'linux' ? ['-qec', command.join(' '), '/dev/null'] : ['-q', '/dev/null', ...command];
  const { child, output, exited } = run('script', options, { DATA_DIR: dataDir, PORT: '0' });
  while (!output.stdout.includes('data remove\r\n')) {
    if (child.exitCode !== null) throw new Error(output.stdout + output.stderr);
    await sleep(20);
  }
  await use(/docs +(\S+)\/docs/.exec(output.stdout)?.[1] ?? '', () => output.stdout);
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
  expect(printed).toContain(`DATA_DIR=${dataDir} npx lead-pipeline credentials`);
});

it('a later start prints where the secrets are kept, but not the secrets', async () => {
  const printed = await startAtTerminal();
  expect(printed).toContain(`credentials   ${dataDir}/credentials.json`);
  expect(printed).not.toContain('lps_');
});

it('each request is one line, without what may be secret or personal', async () => {
  const printed = await startAtTerminal(async (url, soFar) => {
    const { client_id, client_secret } = credentialsOf(dataDir).production;
    const token = await getToken(`${url}/v1`, { client_id, client_secret });
    await call(token, 'GET', `${url}/v1/leads?search=Lovelace&email=ada@example.com`);
    await call(token, 'PATCH', `${url}/v1/leads/external/ada@example.com`, { name: '' });
    await fetch(`${url}/v1/leads`);
    // The service may log the request a moment after its answer.
    await expect.poll(soFar).toContain('token_missing');
  });
  const [, rest = ''] = printed.split('data remove\r\n');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of the terminal
  const lines = rest.replaceAll(/\x1b\[\d+m/g, '').split(/\r?\n/);
  const requests = lines.filter((line) => / ms$/.test(line));
  expect(requests).toEqual([
    expect.stringMatching(/^\[[\d:]{8}\] INFO: POST \/v1\/auth\/token 200 \d+ ms$/),
    expect.stringMatching(/^\[[\d:]{8}\] INFO: GET \/v1\/leads 200 \d+ ms$/),
    expect.stringMatching(/^\[[\d:]{8}\] INFO: PATCH \/v1\/leads\/external\/… 422 validation_failed \d+ ms$/),
    expect.stringMatching(/^\[[\d:]{8}\] INFO: GET \/v1\/leads 401 token_missing \d+ ms$/),
  ]);
  expect(printed).not.toMatch(/Lovelace|ada@|lps_|"level"/);
});
