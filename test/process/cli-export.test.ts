/** `lead-pipeline export`: the file of GET /leads/export on standard output. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { freePort } from '../../src/process/free-port.ts';
import {
  cleanUp,
  cli,
  cliJson,
  externalDatabases,
  getToken,
  newClient,
  run,
  startServer,
  withoutDatabases,
} from '../support/process.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const sandbox = ['--environment', 'sandbox'];
let env: Record<string, string>;
let baseUrl: string;
let token: string;

beforeAll(async () => {
  const external = await externalDatabases();
  env = { ...external.env, PORT: String(await freePort()) };
  await cliJson(env, 'sandbox', 'seed', '--leads', '3000');
  const server = await startServer(env);
  baseUrl = `${server.url}/sandbox/v1`;
  token = await getToken(baseUrl, await newClient(external.env.SANDBOX_DATABASE_URL, 'sandbox'));
});

afterAll(cleanUp);

const exporting = (...args: string[]) => cli(env, 'export', ...args, ...sandbox);

async function fetched(path: string, type: string): Promise<string> {
  const headers = { Authorization: `Bearer ${token}`, Accept: type };
  return (await fetch(`${baseUrl}${path}`, { headers })).text();
}

it.each<[string, string, string[]]>([
  ['/leads/export', 'text/csv', ['leads']],
  ['/leads/export?status=won,lost', 'text/csv', ['leads', '-f', 'status=won,lost']],
  [
    '/leads/export?status=won&status=lost&created_from=2020-01-01',
    'application/x-ndjson',
    ['leads', '-f', 'status=won', '-f', 'status=lost', '-f', 'created_from=2020-01-01', '--format', 'ndjson'],
  ],
  ['/contacts/export?fields=name', 'text/csv', ['contacts', '-f', 'fields=name']],
])('writes what %s answers as %s', async (path, type, args) => {
  const { code, stdout, stderr } = await exporting(...args);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.length).toBeGreaterThan(100);
  expect(stdout).toBe(await fetched(path, type));
});

it.each<[number, RegExp, string[]]>([
  [1, /^status must be one of new, contacted, qualified, won, lost\.\n$/, ['leads', '-f', 'status=open']],
  [1, /^created_from must be .*, or a date such as/, ['leads', '-f', 'created_from=today']],
  [2, /Allowed choices are leads, contacts/, ['users']],
  [2, /Allowed choices are csv, ndjson/, ['leads', '--format', 'json']],
])('prints no file and exits with %i: %s', async (exitCode, message, args) => {
  const { code, stdout, stderr } = await exporting(...args);
  expect([code, stdout]).toEqual([exitCode, '']);
  expect(stderr).toMatch(message);
});

it('shows on a terminal how much has arrived', async () => {
  const command = `'${process.execPath}' src/cli.ts export leads --environment sandbox > /dev/null`;
  const { output, exited } = run('script', ['-qec', command, '/dev/null'], env);
  expect(await exited).toBe(0);
  expect(output.stdout).toMatch(/\r1\.\d MB\r?\n$/);
});

it('says so and exits with 1 if the answer ends early', async () => {
  const other = await startServer({ ...env, PORT: '0' });
  // More than the buffers of the connection hold.
  expect((await cli(env, 'sandbox', 'seed', '--leads', '20000', '--seed', '2')).code).toBe(0);
  const reader = 'head -c 1; while [ ! -e "$DATA_DIR/killed" ]; do sleep 0.1; done; cat > /dev/null';
  const exportAll = '"$NODE" src/cli.ts export leads --environment sandbox --url "$URL"';
  const script = `set -o pipefail; ${exportAll} | (${reader})`;
  const variables = { ...env, NODE: process.execPath, URL: other.url };
  const { output, exited } = run('bash', ['-c', script], variables);
  await vi.waitFor(() => expect(output.stdout).not.toBe(''), 30_000);
  other.child.kill('SIGKILL');
  writeFileSync(join(env.DATA_DIR ?? '', 'killed'), '');
  expect(await exited).toBe(1);
  expect(withoutDatabases(output.stderr)).toMatch(/^The answer ended early, after [\d,]+ bytes\.\n$/);
});

it.each([
  ['an export', '"$NODE" src/cli.ts export leads --environment sandbox | head -n 1'],
  ['a list', '"$NODE" src/cli.ts clients list --environment sandbox | true'],
])('standard output that is closed early ends the command quietly: %s', async (_, command) => {
  const { output, exited } = run('bash', ['-c', `set -o pipefail; ${command}`], {
    ...env,
    NODE: process.execPath,
  });
  const code = await exited;
  expect(withoutDatabases(output.stderr)).toBe('');
  // 141 stands for SIGPIPE, 0 means that everything had been written before.
  expect([0, 141]).toContain(code);
});

it.runIf(process.platform === 'linux')('standard output that is full is reported', async () => {
  const command = '"$NODE" src/cli.ts export leads --environment sandbox > /dev/full';
  const { output, exited } = run('bash', ['-c', command], { ...env, NODE: process.execPath });
  expect([await exited, withoutDatabases(output.stderr)]).toEqual([
    1,
    "Standard output can't be written: no space left on device.\n",
  ]);
});
