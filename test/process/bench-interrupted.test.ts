/** An interrupted benchmark leaves no processes and no data behind. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { cleanUp, newDataDir, run } from '../support/process.ts';

afterAll(cleanUp);

interface Process {
  pid: number;
  command: string;
}

/** The processes whose arguments or environment contain this folder. */
function processesOf(folder: string): Process[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      const variables = readFileSync(`/proc/${pid}/environ`, 'utf8');
      const isOfFolder = (command + variables).includes(folder);
      return isOfFolder ? [{ pid: Number(pid), command: command.replaceAll('\0', ' ') }] : [];
    } catch {
      // Not a process, or it has ended, or it belongs to another user.
      return [];
    }
  });
}

type IsTime = (folder: string, stdout: string) => boolean;
type Interruption = [script: string, when: string, signal: NodeJS.Signals, exitCode: number, isTime: IsTime];

/** Whether the service and its PostgreSQL run. */
function isStarted(folder: string): boolean {
  const commands = processesOf(folder).map(({ command }) => command);
  return ['src/server.ts', 'postgres -D'].every((part) => commands.some((one) => one.includes(part)));
}

it.concurrent.each([
  // Printed just before the benchmark joins the embedded server.
  ['main.ts', 'after it has started', 'SIGTERM', 143, (_, stdout) => stdout.includes('first response')],
  ['scale.ts', 'while it starts', 'SIGINT', 130, isStarted],
] satisfies Interruption[])(
  'bench/%s, interrupted %s the service, handles %s by closing everything it opened',
  async (script, _when, signal, exitCode, isTime) => {
    const folder = newDataDir();
    const { child, output, exited } = run(process.execPath, [`scripts/bench/${script}`], { TMPDIR: folder });
    while (!isTime(folder, output.stdout) && child.exitCode === null) await sleep(20);
    child.kill(signal);
    const code = await exited;
    const left = processesOf(folder);
    for (const { pid } of left) process.kill(pid, 'SIGTERM');
    expect(code, output.stderr).toBe(exitCode);
    expect(left).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  },
  60_000,
);

/** A script that opens something that takes 50 ms to close, and then runs `then`. */
const script = (then: string) => `
  import { setTimeout as sleep } from 'node:timers/promises';
  import { closing } from './scripts/closing.ts';
  await closing(async (closers) => {
    closers.push(async () => {
      await sleep(50);
      console.log('closed');
    });
    ${then}
    await sleep(30_000);
  });`;

it.concurrent.each([
  // pg throws like this if a connection ends between two queries.
  ['while the script runs', `setImmediate(() => { throw new Error('Lost.'); });`, 1, 'Lost.'],
  [
    'while the script is closing',
    `closers.push(() => setImmediate(() => { throw new Error('Lost.'); }));
    process.kill(process.pid, 'SIGTERM');`,
    143,
    '',
  ],
])(
  'an uncaught error %s ends the script only after everything is closed',
  async (_when, then, exitCode, message) => {
    const options = ['--input-type=module-typescript', '--eval', script(then)];
    const { output, exited } = run(process.execPath, options, {});
    expect(await exited).toBe(exitCode);
    expect(output.stdout).toBe('closed\n');
    expect(output.stderr.split('\n')[0]).toContain(message);
    expect(output.stderr === '').toBe(message === '');
  },
);
