/** A measurement that is interrupted leaves nothing running, and no data. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { cleanUp, newDataDir, run } from '../support/process.ts';

afterAll(cleanUp);

/** Command lines of the processes that were started with this folder, in an argument or a variable. */
function processesOf(folder: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      const variables = readFileSync(`/proc/${pid}/environ`, 'utf8');
      return (command + variables).includes(folder) ? [command.replaceAll('\0', ' ')] : [];
    } catch {
      // Not a process, one that has ended, or one of another user.
      return [];
    }
  });
}

it.each([
  ['main.ts', 'SIGTERM', 143],
  ['scale.ts', 'SIGINT', 130],
] as const)(
  'bench/%s closes on %s what it has opened',
  async (script, signal, exitCode) => {
    const folder = newDataDir();
    const { child, exited } = run(process.execPath, [`scripts/bench/${script}`], { TMPDIR: folder });
    const isStarted = () =>
      ['src/server.ts', 'postgres -D'].every((part) =>
        processesOf(folder).some((each) => each.includes(part)),
      );
    while (!isStarted() && child.exitCode === null) await sleep(20);
    child.kill(signal);
    expect(await exited).toBe(exitCode);
    expect(processesOf(folder)).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  },
  60_000,
);
