/** Debian's PgBouncer in front of a PostgreSQL of the tests. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../src/process/free-port.ts';
import { unprivileged } from './embedded.ts';

/** Debian installs it in a folder that only root has in PATH. */
const PROGRAM = ['pgbouncer', '/usr/sbin/pgbouncer'].find(
  (name) => spawnSync(name, ['--version']).status === 0,
);

export const MISSING = PROGRAM === undefined ? 'pgbouncer is missing: apt-get install pgbouncer' : undefined;

export interface Pooler {
  /** The address of a database behind it. */
  through(databaseUrl: string): string;
  close(): Promise<void>;
}

/** In transaction mode, with a few connections per database. It always logs in as the user of `serverUrl`. */
export async function startPgBouncer(serverUrl: string, poolSize: number): Promise<Pooler> {
  const server = new URL(serverUrl);
  const port = await freePort('127.0.0.1');
  return runPgBouncer(
    port,
    `[databases]
* = host=${server.hostname} port=${server.port} user=${server.username} password=${server.password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 200
default_pool_size = ${poolSize}
`,
  );
}

/** With this configuration, in which FOLDER stands for the folder of the other files. */
export async function runPgBouncer(
  port: number,
  ini: string,
  others: Record<string, string> = {},
): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
  chmodSync(folder, 0o755);
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, ini.replaceAll('FOLDER', folder));
  for (const [name, text] of Object.entries(others)) writeFileSync(join(folder, name), text);
  const child = spawn(PROGRAM as string, [file], { ...unprivileged, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const exited = once(child, 'exit');
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${log}`);
    await sleep(20);
  }
  return {
    through(databaseUrl) {
      const url = new URL(databaseUrl);
      url.host = `127.0.0.1:${port}`;
      url.search = '';
      return url.href;
    },
    async close() {
      // Not gracefully, because PgBouncer would then wait for its clients.
      child.kill('SIGTERM');
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const accepted = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return accepted;
}
