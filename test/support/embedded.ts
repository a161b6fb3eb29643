import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach } from 'vitest';
import { commandLine } from '../../src/embedded-postgres/processes.ts';
import { type EmbeddedServer, startEmbedded } from '../../src/embedded-postgres/server.ts';
import { nobody } from '../../src/embedded-postgres/user.ts';
import { copyCluster } from './database.ts';
import { postmaster } from './process.ts';

export const project = join(import.meta.dirname, '../..');
export const isRoot = process.getuid?.() === 0;
/** Options of spawn() for programs that refuse to run as root. */
export const unprivileged = isRoot ? nobody : {};

/** A DATA_DIR for each test, in a folder that the test may change and that is deleted afterwards. */
export class EmbeddedFixture {
  folder = '';
  dataDir = '';
  private servers: EmbeddedServer[] = [];
  private children: ChildProcess[] = [];

  constructor() {
    beforeEach(() => {
      this.folder = mkdtempSync(join(tmpdir(), 'embedded-'));
      this.dataDir = join(this.folder, 'data dir');
    });
    afterEach(() => this.cleanUp());
  }

  get lockFile(): string {
    return join(this.dataDir, 'postgres/data/postmaster.pid');
  }

  /** Pid of the server, 0 when none has a lock file. */
  get postmaster(): number {
    return postmaster(this.dataDir) ?? 0;
  }

  /** Gives DATA_DIR a cluster, as the first start does, which takes much longer. */
  async addCluster(): Promise<void> {
    mkdirSync(this.dataDir);
    if (!copyCluster(this.dataDir)) await (await startEmbedded(this.dataDir)).stop();
  }

  async start(): Promise<EmbeddedServer> {
    const server = await startEmbedded(this.dataDir);
    this.servers.push(server);
    return server;
  }

  /** Another process that uses the server until it is stopped. `wrapper` is a command that starts it. */
  startElsewhere({ root = project, wrapper = [] as string[] } = {}): {
    child: ChildProcess;
    url: Promise<string>;
    stop(): Promise<void>;
  } {
    const [program = '', ...args] = [...wrapper, process.execPath];
    const child = this.run(
      program,
      [
        ...args,
        '--input-type=module',
        '--eval',
        `import { startEmbedded } from '${pathToFileURL(join(root, 'src/embedded-postgres/server.ts'))}';
        const server = await startEmbedded(process.argv[1]);
        process.stdin.once('data', async () => { await server.stop(); process.exit(); });
        process.stdout.write(server.url('postgres'));`,
        this.dataDir,
      ],
      'pipe',
    );
    const url = new Promise<string>((done) => child.stdout?.once('data', (chunk) => done(String(chunk))));
    const stop = async () => {
      child.stdin?.write('stop');
      await once(child, 'exit');
    };
    return { child, url, stop };
  }

  /** A process that is killed after the test. */
  run(
    program: string,
    options: string[],
    stdio: 'pipe' | 'ignore' = 'ignore',
    account: { uid?: number; gid?: number } = {},
  ): ChildProcess {
    const child = spawn(program, options, { ...account, stdio: [stdio, stdio, 'inherit'] });
    this.children.push(child);
    return child;
  }

  async killPostmaster(): Promise<void> {
    const pid = this.postmaster;
    process.kill(pid, 'SIGKILL');
    while (isAlive(pid)) await sleep(5);
  }

  private async cleanUp(): Promise<void> {
    for (const child of this.children.splice(0)) child.kill('SIGKILL');
    await Promise.all(this.servers.splice(0).map((server) => server.stop()));
    // The children of killed processes end by themselves.
    while (isAlive(this.postmaster)) await sleep(20);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

export function isAlive(pid: number): boolean {
  return pid > 0 && commandLine(pid) !== '';
}

export async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** The URL with a setting that applies only to its connections. */
export function withSetting(url: string, setting: string): string {
  const changed = new URL(url);
  changed.searchParams.set('options', `-c ${setting}`);
  return changed.href;
}

export async function query(url: string, sql: string | pg.QueryConfig): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
