/** The service and its commands as child processes. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import packageJson from '../../package.json' with { type: 'json' };
import { type ClientCredentials, registerClient } from '../../src/clients/operator.ts';
import { Database } from '../../src/db/database.ts';
import { commandLine } from '../../src/embedded-postgres/processes.ts';
import type { Environment } from '../../src/environment.ts';
import type { CredentialsFile } from '../../src/process/credentials-file.ts';
import { copyCluster, createTestDatabase, type TestDatabase } from './database.ts';

const project = join(import.meta.dirname, '../..');

type Env = Record<string, string>;

const children = new Set<ChildProcessWithoutNullStreams>();
const folders = new Set<string>();
const databases = new Set<TestDatabase>();

/** Ends and removes everything that this file's tests started. */
export async function cleanUp(): Promise<void> {
  for (const child of children) child.kill('SIGKILL');
  for (const folder of folders) {
    const pid = postmaster(folder);
    if (pid !== undefined && isAlive(pid)) process.kill(pid, 'SIGQUIT');
    while (pid !== undefined && isAlive(pid)) await sleep(20);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  await Promise.all([...databases].map((database) => database.drop()));
  for (const left of [folders, databases]) left.clear();
}

/** A new DATA_DIR, which only this user can enter. */
export function newDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'process-'));
  folders.add(folder);
  return folder;
}

/** A DATA_DIR with databases, for tests that aren't about the first start: creating them takes most of its time. */
export function preparedDataDir(): string {
  const folder = newDataDir();
  copyCluster(folder);
  return folder;
}

/** Pid of the embedded server, as long as its lock file is there. */
export function postmaster(dataDir: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8'), 10);
  } catch {
    return undefined;
  }
}

/** A zombie counts as dead: in a container, it may have no parent that reaps it. */
export function isAlive(pid: number): boolean {
  return commandLine(pid) !== '';
}

/** For a server that gets more requests than its limits allow. */
export const unlimited: Env = Object.fromEntries(
  [
    'READ',
    'WRITE',
    'BATCH',
    'SEARCH',
    'ANALYTICS',
    'TOKEN_CLIENT',
    'TOKEN_IP',
    'ANONYMOUS',
    'BAD_SECRET',
  ].map((name) => [`RATE_LIMIT_${name}`, '1000000']),
);

export interface Run {
  child: ChildProcessWithoutNullStreams;
  /** Its output so far. */
  output: { stdout: string; stderr: string };
  /** Its exit code; null when a signal ended it. */
  exited: Promise<number | null>;
}

/** Compiled modules: with them, a process starts in half the time, and the tests start hundreds. */
export const NODE_COMPILE_CACHE = join(project, 'node_modules/.cache/node');

/** Passes only the given variables, not the environment that the tests run in. */
export function run(program: string, args: string[], env: Env, cwd = project): Run {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(program, args, { cwd, env: { PATH, HOME, NODE_COMPILE_CACHE, ...env } });
  children.add(child);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      output[name] += chunk;
    });
  }
  const exited = once(child, 'close').then(([code]) => {
    children.delete(child);
    return code as number | null;
  });
  return { child, output, exited };
}

/** A command of the CLI. Its stderr comes without the lines that name the databases, which every command writes first. */
export async function cli(env: Env, ...args: string[]) {
  const { output, exited } = run(process.execPath, ['src/cli.ts', ...args], env);
  const code = await exited;
  return { code, stdout: output.stdout, stderr: withoutDatabases(output.stderr) };
}

export function withoutDatabases(stderr: string): string {
  return stderr.replace(/^(Using the \w+ database .+\.\n)+/, '');
}

/** What the command prints with --json. */
export async function cliJson<T = Record<string, string>>(env: Env, ...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await cli(env, ...args, '--json');
  const others = stderr.split('\n').filter((line) => !/^$|"audit":true|^Another enabled/.test(line));
  if (code !== 0 || others.length > 0) throw new Error(`${args.join(' ')}: ${code} ${stderr}`);
  return JSON.parse(stdout);
}

/** A start that is expected to fail. */
export async function failedStart(env: Env) {
  const { output, exited } = run(process.execPath, ['src/server.ts'], { PORT: '0', ...env });
  return { code: await exited, ...output };
}

export interface RunningServer extends Run {
  /** Origin. */
  url: string;
  log(): Record<string, unknown>[];
  /** Sends SIGTERM. Returns the exit code. */
  stop(): Promise<number | null>;
}

/** How `npm start` runs the service, and bounds its memory: flags of Node, and environment variables. */
export const startFlags = packageJson.scripts.start.match(/--\S+/g) ?? [];

/** Resolves when the server has printed its banner. */
export async function startServer(env: Env): Promise<RunningServer> {
  const started = run(process.execPath, [...startFlags, 'src/server.ts'], { PORT: '0', ...env });
  const { child, output, exited } = started;
  while (!/docs +\S+\/docs\n/.test(output.stdout)) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`The server ended: ${output.stderr}`);
    await sleep(10);
  }
  return {
    ...started,
    url: /docs +(\S+)\/docs\n/.exec(output.stdout)?.[1] ?? '',
    log: () =>
      output.stderr
        .split('\n')
        // What follows the last line break may be the beginning of a line.
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    stop: () => {
      child.kill('SIGTERM');
      return exited;
    },
  };
}

export function credentialsOf(dataDir: string): CredentialsFile {
  return JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8'));
}

export interface External {
  /** Variables for a server on its own two migrated databases. */
  env: { DATABASE_URL: string; SANDBOX_DATABASE_URL: string; SECRET_KEY: string; DATA_DIR: string };
  /** A production client. */
  credentials: { client_id: string; client_secret: string };
}

/** Runs an action as the command line does. */
export async function asOperator<Result>(
  databaseUrl: string,
  act: (place: Parameters<typeof registerClient>[0]) => Promise<Result>,
  environment: Environment = 'production',
): Promise<Result> {
  const db = new Database(databaseUrl, 1);
  try {
    return await act({ db, environment, logger: pino({ level: 'silent' }) });
  } finally {
    await db.close();
  }
}

/** A client that may read and write. */
export function newClient(url: string, environment: Environment = 'production'): Promise<ClientCredentials> {
  const fields = { name: 'Test', scopes: ['read', 'write'] };
  return asOperator(url, (place) => registerClient(place, fields), environment);
}

/** The PostgreSQL of the test run, in the place of an operator's own. */
export async function externalDatabases(): Promise<External> {
  const [production, sandbox] = await Promise.all([createTestDatabase(), createTestDatabase('sandbox')]);
  for (const database of [production, sandbox]) databases.add(database);
  const credentials = await newClient(production.url);
  return {
    env: {
      DATABASE_URL: production.url,
      SANDBOX_DATABASE_URL: sandbox.url,
      SECRET_KEY: randomBytes(32).toString('base64'),
      DATA_DIR: newDataDir(),
    },
    credentials,
  };
}

export async function getToken(
  baseUrl: string,
  { client_id, client_secret }: { client_id: string; client_secret: string },
): Promise<string> {
  const response = await fetch(`${baseUrl}/auth/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ grant_type: 'client_credentials', client_id, client_secret }),
  });
  const { access_token } = (await response.json()) as { access_token: string };
  return access_token;
}

/** Sends a request as a client does. Returns the status, the headers and the JSON body. */
export async function call(
  token: string,
  method: string,
  url: string,
  body?: object,
  headers: Env = {},
): Promise<{ status: number; headers: Headers; body: Record<string, unknown> }> {
  const response = await fetch(url, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
}
