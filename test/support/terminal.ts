import { expect, vi } from 'vitest';
import { run } from './process.ts';

/** Runs a command of the CLI on a terminal, and types the answer when it asks. */
export async function onTerminal(env: Record<string, string>, answer: string, ...args: string[]) {
  const command = [process.execPath, 'src/cli.ts', ...args].map((arg) => `'${arg}'`).join(' ');
  const { child, output, exited } = run('script', ['-qec', command, '/dev/null'], env);
  await vi.waitFor(() => expect(output.stdout).toMatch(/To go on, type |\[y\/N\] /), { timeout: 60_000 });
  child.stdin.write(answer);
  return { code: await exited, screen: output.stdout };
}
