/** SQLSTATE and constraint of a failed query (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
interface DatabaseError {
  code: string;
  constraint?: string;
}

function isDatabaseError(error: unknown): error is DatabaseError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}

/** The name of the constraint that a write broke, or undefined when the failure was another one. */
export function brokenConstraint(error: unknown): string | undefined {
  return isDatabaseError(error) && error.code.startsWith('23') ? error.constraint : undefined;
}

/** True when the query took longer than one may, although the database was at work on it. */
export function isQueryTimeout(error: unknown): boolean {
  return isDatabaseError(error) && error.code === '57014';
}

/**
 * True when the database can't be asked at the moment: no connection, server shutting down, pool exhausted,
 * query canceled after its time limit, deadlock. The same request may succeed later.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'KnexTimeoutError') return true;
  if (lostConnection.test(error.message)) return true;
  return isDatabaseError(error) && unavailable.test(error.code);
}

/** pg's own errors have no code. Knex puts the query and a dash before what they say. */
const lostConnection =
  /(^| - )(Connection terminated|Query read timeout|timeout expired|timeout exceeded|Client has encountered a connection error|Client was closed)/;

/** Among them what a server says that lets nobody in: 28..., 3D000 (no such database), 55000 (it takes no connections). */
const unavailable =
  /^(08...|28...|3D000|53...|55000|57P0.|57014|40001|40P01|55P03|25P03|ECONN[A-Z]+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/;

/** True when a lock was not had within lock_timeout. */
export function isLockTimeout(error: unknown): boolean {
  return isDatabaseError(error) && error.code === '55P03';
}
