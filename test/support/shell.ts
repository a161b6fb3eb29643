/** A shell into which text is pasted, as a person pastes blocks of a page into a terminal. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

interface Pasted {
  /** Exit code of the block's last command. */
  status: number;
  /** Whether the shell's prompt would start on a new line. */
  endsLine: boolean;
  /** The output of the block and of background processes. */
  output(): string;
}

export interface Shell {
  paste(block: string): Promise<Pasted>;
  /** Ends the shell and what still runs in its background. */
  close(): void;
}

const MARK = 'end-of-the-pasted-block';
const TIMEOUT = 60_000;

export function openShell(cwd: string, env: Record<string, string> = {}): Shell {
  // Its own process group, so that close() also ends its background processes.
  const child = spawn('sh', [], { cwd, env: { ...process.env, ...env }, detached: true });
  let written = '';
  let faults = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    written += chunk;
  });
  // Not part of the output, because curl draws its progress meter here.
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    faults += chunk;
  });
  return {
    async paste(block) {
      const start = written.length;
      const endsLine = () => new RegExp(`(^|\n)${MARK} `).test(written.slice(start));
      const output = () => written.slice(start).replaceAll(new RegExp(`${MARK} \\d+\n`, 'g'), '');
      child.stdin.write(`${block}\nprintf '%s %s\\n' ${MARK} "$?"\n`);
      for (const deadline = Date.now() + TIMEOUT; Date.now() < deadline; await sleep(10)) {
        const [, status] = new RegExp(`${MARK} (\\d+)\n`).exec(written.slice(start)) ?? [];
        if (status !== undefined) return { status: Number(status), output, endsLine: endsLine() };
        if (child.exitCode !== null) break;
      }
      throw new Error(`The shell did not finish this block:\n${block}\n\n${output()}\n${faults}`);
    },
    close() {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    },
  };
}

export interface Interrupt {
  signal: 'SIGINT' | 'SIGKILL';
  /** When the output matches, when the promise of a function settles, or after so many milliseconds. */
  when: RegExp | number | (() => Promise<unknown>);
}

export interface Ended {
  /** The exit code of the last command. 128 and the number of the signal if one ended the shell. */
  status: number;
  stdout: string;
  stderr: string;
}

interface ShellOptions {
  cwd: string;
  env: Record<string, string>;
  interrupt?: Interrupt | undefined;
  /** A command that starts the shell elsewhere. */
  within?: string[];
  /** Milliseconds. */
  timeout?: number;
}

/**
 * Pastes the text into a new shell, and then closes it. The variables are the shell's only ones. A signal reaches all processes
 * that it has started, as Ctrl-C in a terminal does.
 */
export async function runInShell(
  text: string,
  { cwd, env, interrupt, within = [], timeout = TIMEOUT }: ShellOptions,
): Promise<Ended> {
  const [program = '', ...args] = [...within, 'sh'];
  const shell = spawn(program, args, { cwd, env, detached: true });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    shell[name].setEncoding('utf8').on('data', (chunk: string) => {
      output[name] += chunk;
    });
  }
  const kill = (signal: NodeJS.Signals) => {
    if (shell.pid !== undefined && shell.exitCode === null) process.kill(-shell.pid, signal);
  };
  const closed = once(shell, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  const timer = setTimeout(kill, timeout, 'SIGKILL');
  // A block that ends early reads no more.
  shell.stdin.on('error', () => undefined).end(text);
  if (interrupt !== undefined) {
    const { signal, when } = interrupt;
    try {
      if (typeof when === 'number') await Promise.race([closed, sleep(when)]);
      else if (typeof when === 'function') await Promise.race([closed, when()]);
      else while (shell.exitCode === null && !when.test(output.stdout + output.stderr)) await sleep(5);
    } finally {
      kill(signal);
    }
  }
  const [code, signal] = await closed;
  clearTimeout(timer);
  return { ...output, status: code ?? 128 + constants.signals[signal ?? 'SIGKILL'] };
}
