/** A shell into which text is pasted, as a person pastes blocks of a page into a terminal. */
import { spawn } from 'node:child_process';
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
