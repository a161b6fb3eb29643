import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** Runs a program to its end, and kills it if this process ends before. Throws an Error with the last line of its stderr. */
export async function runTool(
  program: string,
  args: readonly string[],
  env?: NodeJS.ProcessEnv,
  readOutput: (child: Child) => Promise<void> = async ({ stdout }) => void stdout.resume(),
): Promise<void> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4_000);
  });
  try {
    const [[code]] = await Promise.all([once(child, 'close'), readOutput(child)]);
    if (code === 0) return;
    throw new Error(`${program} failed: ${said.trim().split('\n').at(-1) || `exit code ${code}`}`);
  } finally {
    process.off('exit', kill);
  }
}
