/**
 * Limits that PostgreSQL itself keeps on each connection of a pool. Milliseconds.
 *
 * lock_timeout is shorter than a request's wait for a connection: if waits for one row take up the pool, they end before
 * other requests give up. idle_in_transaction_session_timeout ends transactions of a frozen or dead process, because their
 * locks and their unpublished events block all others.
 */
export const sessionTimeouts = {
  statement_timeout: 15_000,
  lock_timeout: 3_000,
  idle_in_transaction_session_timeout: 5_000,
};

type TimeoutName = keyof typeof sessionTimeouts;

export const timeoutNames = Object.keys(sessionTimeouts) as TimeoutName[];

/** SQL that sets limits until the transaction ends. No longer, since other clients may use a pooler's session afterwards. */
export function setLocal(timeouts: Partial<Record<TimeoutName, number>>): string {
  return Object.entries(timeouts)
    .map(([name, milliseconds]) => `set local ${name} = ${milliseconds}`)
    .join('; ');
}
