/** PostgreSQL as Debian packages it, with streaming replication over the loopback. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { nobody, run } from '../../src/embedded-postgres/user.ts';
import { freePort } from '../../src/process/free-port.ts';
import { isRoot, query } from './embedded.ts';

const BIN = '/usr/lib/postgresql/15/bin';
const SUPERUSER = 'tester';
/** Owns the databases, and has no other privileges. */
const ROLE = 'api';

export const MISSING = existsSync(`${BIN}/pg_basebackup`)
  ? undefined
  : 'PostgreSQL 15 is missing: apt-get install postgresql-15';

export interface PostgresServer {
  /** For the service. */
  url(database: string): string;
  /** As a superuser. */
  query(sql: string, database?: string): Promise<pg.QueryResultRow[]>;
  log(): string;
  start(): Promise<void>;
  /** Immediately, as in a crash. */
  kill(): Promise<void>;
  /** Stops or resumes its postmaster, which accepts new connections. */
  freeze(frozen: boolean): void;
  /** Promotes a replica to the primary. */
  promote(): Promise<void>;
}

export interface Cluster {
  primary: PostgresServer;
  replica: PostgresServer;
  /** A further replica with the same settings. */
  addReplica(): Promise<PostgresServer>;
  /** Each commit waits for the replica, as long as there is one. */
  replicateSynchronously(): Promise<void>;
  close(): Promise<void>;
}

/** A primary with these databases, and a replica with these settings. */
export async function startCluster(databases: string[], settings: string[] = []): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'replication-'));
  chmodSync(folder, 0o755);
  const account = isRoot ? nobody : undefined;
  if (account !== undefined) chownSync(folder, account.uid, account.gid);
  const children = new Set<ChildProcess>();
  const replicas: PostgresServer[] = [];

  async function server(name: string): Promise<PostgresServer & { data: string; port: number }> {
    const data = join(folder, name);
    const logFile = join(folder, `${name}.log`);
    const port = await freePort('127.0.0.1');
    const address = (user: string, database: string) => `postgres://${user}@127.0.0.1:${port}/${database}`;
    const ask: PostgresServer['query'] = (sql, database = 'postgres') =>
      query(address(SUPERUSER, database), sql);
    let child: ChildProcess | undefined;
    const options = [
      `port=${port}`,
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      'fsync=off',
      'autovacuum=off',
      'shared_buffers=32MB',
      'max_connections=80',
      'wal_retrieve_retry_interval=100ms',
    ].flatMap((option) => ['-c', option]);
    return {
      data,
      port,
      url: (database) => address(ROLE, database),
      query: ask,
      log: () => readFileSync(logFile, 'utf8'),
      async start() {
        const log = openSync(logFile, 'a');
        child = spawn(`${BIN}/postgres`, ['-D', data, ...options], {
          ...account,
          cwd: '/',
          stdio: ['ignore', log, log],
        });
        closeSync(log);
        children.add(child);
        const started = child;
        started.once('exit', () => children.delete(started));
        while (!(await answers(address(SUPERUSER, 'postgres')))) {
          if (started.exitCode !== null) throw new Error(readFileSync(logFile, 'utf8'));
          await sleep(50);
        }
      },
      async kill() {
        if (child === undefined || !children.has(child)) return;
        const exited = once(child, 'exit');
        child.kill('SIGQUIT');
        await exited;
      },
      freeze(frozen) {
        child?.kill(frozen ? 'SIGSTOP' : 'SIGCONT');
      },
      async promote() {
        await ask('select pg_promote()');
      },
    };
  }

  const primary = await server('primary');
  const initdb = ['--pgdata', primary.data, '--username', SUPERUSER, '--auth=trust', '--no-sync'];
  await run(`${BIN}/initdb`, [...initdb, '--encoding=UTF8', '--locale=C.UTF-8'], account);
  await primary.start();
  await primary.query(`create role ${ROLE} login`);
  for (const name of databases) await primary.query(`create database ${name} owner ${ROLE}`);
  async function addReplica(): Promise<PostgresServer> {
    const name = `replica${replicas.length + 1}`;
    const replica = await server(name);
    const source = `postgres://${SUPERUSER}@127.0.0.1:${primary.port}/postgres?application_name=${name}`;
    const backup = ['--pgdata', replica.data, '--write-recovery-conf', '--checkpoint=fast', '--no-sync'];
    await run(`${BIN}/pg_basebackup`, ['--dbname', source, ...backup], account);
    appendFileSync(
      join(replica.data, 'postgresql.auto.conf'),
      settings.map((setting) => `${setting}\n`).join(''),
    );
    await replica.start();
    replicas.push(replica);
    return replica;
  }

  return {
    primary,
    replica: await addReplica(),
    addReplica,
    async replicateSynchronously() {
      await primary.query("alter system set synchronous_standby_names = '*'");
      await primary.query('select pg_reload_conf()');
    },
    async close() {
      await Promise.all([primary, ...replicas].map((one) => one.kill()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
