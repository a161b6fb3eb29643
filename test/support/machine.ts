/** A Debian machine for blocks that need root and systemd: see machine.sh. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { until } from './deliveries.ts';
import { isRoot, project } from './embedded.ts';
import { descendantsOf } from './process-tree.ts';
import { missing } from './programs.ts';
import { type Ended, type Interrupt, runInShell } from './shell.ts';

/** The reason to skip a test; undefined where it can run. */
export const noMachine = isRoot
  ? missing(
      'setpriv',
      'unshare',
      'nsenter',
      'ip',
      'systemctl',
      'nginx',
      'redis-server',
      'pg_ctlcluster',
      'npm',
    )
  : 'Only root can boot a machine in namespaces.';

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

interface Slip {
  env?: Record<string, string>;
  /** How often the block is pasted, in one shell. */
  times?: number;
  interrupt?: Interrupt;
}

interface Pasted extends Ended {
  /** Files and roles that differ afterwards. */
  changes: string[];
}

/** What an operator's blocks may change. */
const STATE = `
  find /etc /usr/local/sbin /opt/lead-pipeline-api -name node_modules -prune -o \\( -type f -o -type l \\) \\
    -printf 'mode %p %m %l\\n' -type f -exec sha256sum --tag {} +
  runuser -u postgres -- psql -Atc "select 'role ' || rolname || ' ' || coalesce(md5(rolpassword), '') from pg_authid
    union all select 'database ' || datname || ' .' from pg_database"`;

export class Machine {
  readonly #folder = mkdtempSync(join(tmpdir(), 'machine-'));
  #unshare: ChildProcess | undefined;
  /** Its process 1, seen from here. */
  #init = 0;

  static async boot(): Promise<Machine> {
    const machine = new Machine();
    try {
      await machine.#boot();
      return machine;
    } catch (error) {
      await machine.close();
      throw error;
    }
  }

  async #boot(): Promise<void> {
    const script = join(import.meta.dirname, 'machine.sh');
    const node = join(project, 'node_modules/node/bin/node');
    const namespaces = ['--pid', '--fork', '--mount', '--cgroup', '--net', '--ipc', '--uts', '--kill-child'];
    // Ends with the tests, also if they are killed.
    const bound = ['--pdeathsig', 'KILL', 'unshare', ...namespaces];
    const unshare = spawn('setpriv', [...bound, 'sh', script, this.#folder, node], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#unshare = unshare;
    let said = '';
    unshare.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await until(async () => {
      if (unshare.exitCode !== null) throw new Error(`The machine did not boot: ${said}`);
      this.#init = descendantsOf(unshare.pid ?? 0)[0] ?? 0;
      return this.#init > 0 && (await this.run('systemctl is-active machine.target')).status === 0;
    }, 30);
  }

  /** Pastes a block into a shell of root, outside of any project. */
  run(text: string, { env = {}, times = 1, interrupt }: Slip = {}): Promise<Ended> {
    const within = ['nsenter', `--target=${this.#init}`, '--all', '--root', '--wd'];
    const variables = { PATH, HOME: '/root', npm_config_offline: 'true', ...env };
    return runInShell(`${text}\n`.repeat(times), {
      cwd: '/',
      env: variables,
      interrupt,
      within,
      timeout: 300_000,
    });
  }

  /** The output of a block that succeeds. */
  async output(text: string): Promise<string> {
    const { status, stdout, stderr } = await this.run(text);
    expect(status, `${text}\n${stdout}\n${stderr}`).toBe(0);
    return stdout.trim();
  }

  async write(path: string, text: string): Promise<void> {
    await this.output(`mkdir -p $(dirname ${path}); cat > ${path} <<'END-OF-FILE'\n${text}\nEND-OF-FILE`);
  }

  /** Like run(), and compares the machine before and after. */
  async paste(text: string, slip: Slip = {}): Promise<Pasted> {
    const before = await this.#state();
    const ended = await this.run(text, slip);
    const after = await this.#state();
    const names = new Set([...before.keys(), ...after.keys()]);
    const changes = [...names].filter((name) => before.get(name) !== after.get(name)).toSorted();
    return { ...ended, changes };
  }

  async #state(): Promise<Map<string, string>> {
    const { stdout } = await this.run(STATE);
    const lines = stdout.split('\n').filter((line) => line.trim() !== '');
    // Lines such as `mode /etc/hosts 644`, `SHA256 (/etc/hosts) = …` and `role postgres …`.
    return new Map(lines.map((line) => [line.split(' ').slice(0, 2).join(' '), line]));
  }

  /** Copies a folder of the project. */
  copy(source: string, target: string, exclude: readonly string[]): void {
    const pack = ['--create', '--directory', source, ...exclude.map((name) => `--exclude=./${name}`), '.'];
    const { stdout } = spawnSync('tar', pack, { maxBuffer: 2 ** 28 });
    const inside = ['--target', String(this.#init), '--all', '--root', '--wd', 'sh', '-c'];
    const unpack = `mkdir -p ${target} && tar --extract --no-same-owner --directory ${target}`;
    const { status, stderr } = spawnSync('nsenter', [...inside, unpack], { input: stdout });
    if (status !== 0) throw new Error(String(stderr));
  }

  async close(): Promise<void> {
    const unshare = this.#unshare;
    if (unshare !== undefined && unshare.exitCode === null && unshare.signalCode === null) {
      // Ends all processes of its namespace.
      if (this.#init > 0) process.kill(this.#init, 'SIGKILL');
      else unshare.kill('SIGKILL');
      await once(unshare, 'exit');
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
