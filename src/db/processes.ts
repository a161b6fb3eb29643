import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Tells a process from a later one that got the same pid. Undefined when it does not run. */
export function startTime(pid: number): string | undefined {
  if (process.platform !== 'linux') return ps(pid, 'lstart=');
  const stat = readProc(pid, 'stat');
  // The name, in parentheses, may hold anything; after it come the state and, 19 further, the start.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields === undefined || fields[0] === 'Z' ? undefined : fields[19];
}

/** Its program and options. Undefined or empty when it does not run. */
export function commandLine(pid: number): string | undefined {
  return process.platform === 'linux' ? readProc(pid, 'cmdline') : ps(pid, 'command=');
}

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}

function ps(pid: number, column: string): string | undefined {
  try {
    return execFileSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}
