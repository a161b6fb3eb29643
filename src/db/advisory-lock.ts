import type pg from 'pg';
import { isLockTimeout } from './errors.ts';

/** Milliseconds until a wait is reported, and then between two reports. */
const SILENCE = 1_000;
const INTERVAL = 60_000;

/** Says to the operator what a process waits for. */
export type Report = (message: string) => void;

interface Wait {
  /** What the holder of the lock does, such as `is migrating this database`. */
  task: string;
  /** Milliseconds. */
  limit: number;
  report: Report;
}

/**
 * Takes an advisory lock until the connection ends. While another session has it, says which one: somebody may have to end a
 * process that hangs. Sets the session's lock_timeout.
 */
export async function takeLock(
  client: pg.ClientBase,
  lock: number,
  { task, limit, report }: Wait,
): Promise<void> {
  let left = limit;
  for (let pause = SILENCE; ; pause = INTERVAL) {
    const timeout = Math.min(pause, left);
    try {
      await client.query(`set lock_timeout = ${timeout}`);
      await client.query(`select pg_advisory_lock(${lock})`);
      return;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
    }
    left -= timeout;
    const holders = await findHolders(client, lock);
    const message = `Another process ${task}: ${holders.join('; ')}`;
    if (left <= 0) throw new Error(`${message}. Gave up after ${limit / 1_000} seconds.`);
    // Released meanwhile.
    if (holders.length > 0) report(`Waiting. ${message}.`);
  }
}

/** Somebody's connection to PostgreSQL. */
export interface Session {
  pid: number;
  name: string;
  role: string;
  address: string | null;
  since: string | null;
}

/** PostgreSQL shows the address and the time of another role's session only to members of pg_read_all_stats. */
export const sessionColumns = `
  pid, coalesce(nullif(application_name, ''), 'a program without a name') as name, usename as role,
  host(client_addr) as address, to_char(backend_start at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as since`;

const holders = `
  select ${sessionColumns} from pg_locks join pg_stat_activity using (pid)
  where locktype = 'advisory' and objsubid = 1 and granted and pid <> pg_backend_pid()
    and (classid::bigint << 32 | objid::bigint) = $1
    and database = (select oid from pg_database where datname = current_database())
  order by pid`;

/** As phrases for the operator. */
async function findHolders(client: pg.ClientBase, lock: number): Promise<string[]> {
  const { rows } = await client.query<Session>(holders, [lock]);
  return rows.map(describeSession);
}

export function describeSession({ pid, name, role, address, since }: Session): string {
  const parts = [`pid ${pid} of PostgreSQL`, name, `role ${role}`];
  if (address !== null) parts.push(`from ${address}`);
  if (since !== null) parts.push(`connected since ${since} UTC`);
  return parts.join(', ');
}
