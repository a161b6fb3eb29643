/** `lead-pipeline export`: the file of GET /leads/export on standard output. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
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
  // A proxy that breaks off files.
  const other = createServer(async ({ url = '', headers: { authorization = '' } }, answer) => {
    const { status, body } = await fetch(new URL(url, baseUrl), { headers: { authorization } });
    answer.writeHead(status);
    if (url.includes('/export')) answer.write('id,name\r\n', () => answer.destroy());
    else Readable.fromWeb(body as never).pipe(answer);
  }).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  const { code, stderr } = await exporting('leads', '--url', url);
  other.close();
  expect([code, stderr]).toEqual([1, 'The answer ended early, after 9 bytes.\n']);
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
