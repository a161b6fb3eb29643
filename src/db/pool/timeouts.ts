/**
 * Limits that PostgreSQL itself keeps on each connection of a pool. Milliseconds.
 *
 * A lock: less than a request waits for a connection, so that those who wait for one row don't keep all connections from
 * the others. An idle transaction: its process is frozen or dead, and its locks and events hold up all others.
 */
export const sessionTimeouts = {
  statement_timeout: 15_000,
  lock_timeout: 3_000,
  idle_in_transaction_session_timeout: 5_000,
};

type TimeoutName = keyof typeof sessionTimeouts;

export const timeoutNames = Object.keys(sessionTimeouts) as TimeoutName[];

/** SQL that sets limits until the transaction ends: a pooler may give the next one to somebody else. */
export function setLocal(timeouts: Partial<Record<TimeoutName, number>>): string {
  return Object.entries(timeouts)
    .map(([name, milliseconds]) => `set local ${name} = ${milliseconds}`)
    .join('; ');
}
