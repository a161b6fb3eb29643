/** Servers from Debian's packages, started by tests. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Its path. Undefined if it is not installed. Servers are in folders that not every user has in PATH. */
function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Debian's packages whose names differ from the program's. */
const packages: Record<string, string> = {
  psql: 'postgresql-client',
  'systemd-analyze': 'systemd',
  java: 'default-jdk-headless',
  mvn: 'maven',
  go: 'golang',
};

/** The reason to skip a test: which programs are missing, and how to install them. */
export function missing(...names: string[]): string | undefined {
  const absent = names.filter((name) => findProgram(name) === undefined);
  const toInstall = absent.map((name) => packages[name] ?? name);
  return absent.length === 0
    ? undefined
    : `${absent.join(' and ')}: missing; apt-get install ${toInstall.join(' ')}`;
}

/** A server in the foreground, on a port of this machine, with its own folder. */
export class Program {
  readonly folder: string;
  readonly #name: string;
  readonly #port: number;
  #child: ChildProcess | undefined;

  constructor(
    name: string,
    port: number,
    folder = mkdtempSync(join(process.env.TMPDIR ?? '/tmp', `${name}-`)),
  ) {
    this.#name = name;
    this.#port = port;
    this.folder = folder;
  }

  /** Resolves when it accepts connections. */
  async start(args: readonly string[]): Promise<void> {
    const program = findProgram(this.#name) ?? this.#name;
    const child = spawn(program, args, { cwd: this.folder, stdio: ['ignore', 'ignore', 'pipe'] });
    this.#child = child;
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    while (!(await this.#accepts())) {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${this.#name}: ${said}`);
      await sleep(20);
    }
  }

  async #accepts(): Promise<boolean> {
    const socket = connect(this.#port, '127.0.0.1');
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    return isOpen;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Ends it, by default with SIGKILL. */
  async end(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  }

  async close(): Promise<void> {
    await this.end();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
