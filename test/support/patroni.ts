/**
 * A cluster of three machines as docs/high-availability.md builds it, on the loopback: the files in deploy/patroni, with other
 * addresses and paths. Each cluster has its own network, such as 127.41.7.0/24, so the ports stay.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { commandLine } from '../../src/embedded-postgres/processes.ts';
import { nobody } from '../../src/embedded-postgres/user.ts';
import { until } from './deliveries.ts';
import { isRoot, query, unprivileged } from './embedded.ts';
import { haproxyConfig, hostOf, type Name, names, patroniConfig, variablesOf } from './patroni-files.ts';
import { descendantsOf } from './process-tree.ts';
import { missing } from './programs.ts';

const BIN = '/usr/lib/postgresql/15/bin';

/** The reason to skip a test. */
export const MISSING =
  missing('patroni', 'etcd', 'haproxy') ??
  (existsSync(`${BIN}/pg_basebackup`)
    ? undefined
    : 'PostgreSQL 15 is missing: apt-get install postgresql-15');

interface Member {
  Member: Name;
  Role: 'Leader' | 'Sync Standby' | 'Replica';
  State: string;
  TL: number;
}

export interface PatroniCluster {
  /** For the service: through HAProxy to the primary. */
  url(database: string): string;
  /** For deploy/postgresql.sql. */
  superuserUrl: string;
  /** The member with this role. Waits until there is exactly one leader, one synchronous standby and one other replica. */
  settled(): Promise<Record<'leader' | 'sync' | 'other', Name>>;
  patronictl(...args: string[]): Promise<string>;
  /** As a superuser, directly on a machine. */
  query(name: Name, sql: string, database?: string): Promise<pg.QueryResultRow[]>;
  /** Kills Patroni and PostgreSQL on a machine, as a loss of power does. */
  kill(name: Name): void;
  /** Starts Patroni on a machine after kill(). */
  start(name: Name): void;
  /** Stops or resumes Patroni and PostgreSQL on a machine, as a hypervisor does. */
  freeze(name: Name, frozen: boolean): void;
  /** Ends everything that it has started. */
  close(): Promise<void>;
}

export async function startPatroni(): Promise<PatroniCluster> {
  const random = () => 1 + Math.floor(Math.random() * 250);
  const network = `127.${random()}.${random()}`;
  const folder = mkdtempSync(join(tmpdir(), 'patroni-'));
  /** Creates a folder for PostgreSQL, which refuses to run as root. */
  const own = (path: string) => {
    if (isRoot) chownSync(path, nobody.uid, nobody.gid);
    return path;
  };
  chmodSync(own(folder), 0o755);
  const folderOf = (name: Name) => join(folder, name);
  const children = new Set<ChildProcess>();
  const patronis = new Map<Name, ChildProcess>();

  function start(program: string, args: string[], variables: Record<string, string>, log: string, as = {}) {
    const output = openSync(join(folder, log), 'a');
    const { PATH = '' } = process.env;
    const child = spawn(program, args, {
      ...as,
      cwd: folder,
      env: { PATH: `${PATH}:/usr/sbin`, LC_ALL: 'C.UTF-8', HOME: folder, ...variables },
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    child.once('error', () => children.delete(child));
    child.once('exit', () => children.delete(child));
    children.add(child);
    return child;
  }

  function startMember(name: Name): void {
    const file = join(folderOf(name), 'patroni.yml');
    patronis.set(
      name,
      start('patroni', [file], variablesOf('patroni.env', network, name), `${name}.log`, unprivileged),
    );
  }

  /** 0 if PostgreSQL does not run. */
  const postmaster = (name: Name): number => {
    const file = join(folderOf(name), '15/patroni/postmaster.pid');
    const pid = existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : 0;
    // After a crash, another process may have got this number.
    return pid > 0 && commandLine(pid).includes(folder) ? pid : 0;
  };
  /** Patroni, PostgreSQL and its backends. */
  function processesOf(name: Name): number[] {
    const server = postmaster(name);
    const roots = [patronis.get(name)?.pid ?? 0, server].filter((pid) => pid > 0);
    return [...roots, ...roots.flatMap(descendantsOf)];
  }
  function signal(pids: number[], name: NodeJS.Signals): void {
    for (const pid of new Set(pids)) {
      try {
        process.kill(pid, name);
      } catch {
        // It has ended.
      }
    }
  }

  async function close(): Promise<void> {
    const ended = [...children].map((child) => once(child, 'exit'));
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(ended);
    for (const name of names) {
      for (let server = postmaster(name); server > 0; server = postmaster(name)) {
        signal([server, ...descendantsOf(server)], 'SIGKILL');
        await sleep(20);
      }
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }

  const ofPatroni = variablesOf('patroni.env', network, 'db-1');
  const superuser = (address: string, database: string) =>
    `postgres://postgres:${ofPatroni.PATRONI_SUPERUSER_PASSWORD}@${address}/${database}`;

  async function patronictl(...args: string[]): Promise<string> {
    const file = join(folderOf('db-1'), 'patroni.yml');
    const { PATH = '' } = process.env;
    const output = openSync(join(folder, 'patronictl'), 'w');
    const child = spawn('patronictl', ['-c', file, ...args], {
      env: { PATH, LC_ALL: 'C.UTF-8', HOME: folder, ...ofPatroni },
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    children.add(child);
    child.once('exit', () => children.delete(child));
    const [code] = await once(child, 'exit');
    const text = readFileSync(join(folder, 'patronictl'), 'utf8');
    if (code !== 0) throw new Error(`patronictl ${args.join(' ')}: ${text}`);
    return text;
  }

  async function members(): Promise<Member[]> {
    return JSON.parse(await patronictl('list', '--format', 'json'));
  }

  try {
    for (const name of names) {
      const place = own(mkdirp(folderOf(name)));
      const etcd = { ...variablesOf('etcd.env', network, name), ETCD_DATA_DIR: mkdirp(join(place, 'etcd')) };
      start('etcd', [], etcd, 'etcd.log');
      writeFileSync(join(place, 'patroni.yml'), patroniConfig(network, place));
      own(mkdirp(join(place, '15')));
      startMember(name);
    }
    writeFileSync(join(folder, 'haproxy.cfg'), haproxyConfig(network));
    start('haproxy', ['-f', join(folder, 'haproxy.cfg')], {}, 'haproxy.log', unprivileged);
  } catch (error) {
    await close();
    throw error;
  }

  return {
    url: (database) => `postgres://lead_pipeline:made-up@${network}.21:5000/${database}`,
    superuserUrl: superuser(`${network}.21:5000`, 'postgres'),
    async settled() {
      return until(async () => {
        const list = await members().catch(() => []);
        const of = (role: Member['Role']) =>
          list.filter(({ Role }) => Role === role).map(({ Member }) => Member);
        const [leaders, syncs, others] = [of('Leader'), of('Sync Standby'), of('Replica')];
        const isRunning = list.every(({ State }) => /^(running|streaming)$/.test(State));
        if (!isRunning || new Set(list.map(({ TL }) => TL)).size > 1) return undefined;
        if ([leaders, syncs, others].some((found) => found.length !== 1)) return undefined;
        return { leader: leaders[0] as Name, sync: syncs[0] as Name, other: others[0] as Name };
      }, 60);
    },
    patronictl,
    query: (name, sql, database = 'postgres') =>
      query(superuser(`${hostOf(network, name)}:5432`, database), sql),
    kill: (name) => signal(processesOf(name), 'SIGKILL'),
    start: startMember,
    freeze: (name, frozen) => signal(processesOf(name), frozen ? 'SIGSTOP' : 'SIGCONT'),
    close,
  };
}

function mkdirp(folder: string): string {
  mkdirSync(folder, { recursive: true });
  return folder;
}
