/** CPU time and memory of processes, as Linux tells them in /proc. */
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';

/** Clock ticks per second in /proc (USER_HZ). */
const TICKS_PER_SECOND = 100;

interface Times {
  parent: number;
  /** CPU seconds of the process. */
  own: number;
  /** CPU seconds of its children that have ended. */
  ended: number;
}

async function timesOf(pid: number | string): Promise<Times> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name, in parentheses, may contain any character. See proc_pid_stat(5): what follows starts with field 3.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => Number(fields[number - 3]);
  return {
    parent: field(4),
    own: (field(14) + field(15)) / TICKS_PER_SECOND,
    ended: (field(16) + field(17)) / TICKS_PER_SECOND,
  };
}

/** CPU seconds that the process has used so far. */
export async function cpuOf(pid: number | undefined): Promise<number> {
  return (await timesOf(pid ?? 0)).own;
}

/** Resident bytes. */
export async function memoryOf(pid: number | undefined): Promise<number> {
  return Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}

/** Measures the CPU seconds that the server's processes have used so far, all of them children of the postmaster. */
export async function postgresCpu(databaseUrl: string): Promise<() => Promise<number>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const { parent: postmaster } = await timesOf(rows[0]?.pid ?? 0);
  await client.end();
  return async () => {
    const { own, ended } = await timesOf(postmaster);
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    // A process may end while it is looked at.
    const others = await Promise.all(pids.map((pid) => timesOf(pid).catch(() => undefined)));
    const children = others.filter((times) => times?.parent === postmaster);
    return children.reduce((sum, times) => sum + (times?.own ?? 0), own + ended);
  };
}
