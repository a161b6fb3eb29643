/** A server of Debian's PostgreSQL 15, with all of its tools. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { vi } from 'vitest';
import { nobody } from '../../src/embedded-postgres/user.ts';
import { freePort } from '../../src/process/free-port.ts';
import { isRoot, unprivileged } from './embedded.ts';

export const bin = '/usr/lib/postgresql/15/bin';
export const noPostgres = 'PostgreSQL 15 is missing: apt-get install postgresql-15';

export interface DebianPostgres {
  url(database: string): string;
  stop(): Promise<void>;
  /** Stops it, and returns the folder of its databases, of which `startDebianPostgres` can start copies. */
  freeze(): Promise<string>;
}

export const hasDebianPostgres = existsSync(join(bin, 'initdb'));

/** Undefined where it is not installed. */
export async function startDebianPostgres(frozen?: string): Promise<DebianPostgres | undefined> {
  if (!hasDebianPostgres) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'postgres-15-'));
  const data = join(folder, 'data');
  // PostgreSQL refuses to run as root.
  if (isRoot) chownSync(folder, nobody.uid, nobody.gid);
  chmodSync(folder, 0o755);
  const options = { ...unprivileged, cwd: '/' };
  const init = ['--auth=trust', '--username=tester', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'];
  // A copy keeps its owner.
  if (frozen !== undefined) await promisify(execFile)('cp', ['-a', frozen, data]);
  else await promisify(execFile)(join(bin, 'initdb'), [`--pgdata=${data}`, ...init], options);
  const port = await freePort();
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'];
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    { ...options, stdio: 'ignore' },
  );
  const url = (database: string) => `postgres://tester@127.0.0.1:${port}/${database}`;
  await vi.waitFor(() => connect(url('postgres')), { timeout: 20_000, interval: 100 });
  const exited = once(server, 'exit');
  const end = (signal: NodeJS.Signals) => {
    server.kill(signal);
    return exited;
  };
  return {
    url,
    async stop() {
      await end('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
    async freeze() {
      await end('SIGINT');
      return data;
    },
  };
}

async function connect(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.end();
}
