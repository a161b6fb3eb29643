/** Reads a process's state from the operating system. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Resident memory in bytes: now, or the highest so far. */
export function residentBytes(pid: number | undefined, when: 'now' | 'peak' = 'now'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [, kib] = (when === 'now' ? /VmRSS:\s+(\d+)/ : /VmHWM:\s+(\d+)/).exec(status) ?? [];
  return Number(kib) * 1024;
}

/** How long its main thread has computed so far, without waiting for a processor. Milliseconds. */
export function computingTime(pid: number | undefined): number {
  const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}

/** The process and its children. The parent comes first, so a signal to all of them misses no later child. */
export function familyOf(parent: number): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const children = lines
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid = 0, ppid]) => (ppid === parent ? [pid] : []));
  return [parent, ...children];
}

/** Signals the process and its children, except those that have ended meanwhile. */
export function signalFamily(parent: number, signal: NodeJS.Signals): void {
  process.kill(parent, signal);
  for (const pid of familyOf(parent).slice(1)) {
    try {
      process.kill(pid, signal);
    } catch {}
  }
}
