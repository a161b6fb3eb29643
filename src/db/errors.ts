/** SQLSTATE and constraint of a failed query (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
interface DatabaseError {
  code: string;
  constraint?: string;
}

function isDatabaseError(error: unknown): error is DatabaseError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}

/** Name of the constraint that a write violated, or undefined for other errors. */
export function brokenConstraint(error: unknown): string | undefined {
  return isDatabaseError(error) && error.code.startsWith('23') ? error.constraint : undefined;
}

/** True if the query exceeded its time limit while the database was working on it. */
export function isQueryTimeout(error: unknown): boolean {
  return isDatabaseError(error) && error.code === '57014';
}

/**
 * True if the database is unavailable at the moment: no connection, server shutting down, pool exhausted, query canceled
 * at its time limit, deadlock. The same request may succeed later.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'KnexTimeoutError') return true;
  if (lostConnection.test(error.message)) return true;
  return isDatabaseError(error) && unavailable.test(error.code);
}

/** True if a connection has ended or no longer answers, for instance because the server shuts down. */
export function isConnectionLost(error: Error): boolean {
  return lostConnection.test(error.message) || (isDatabaseError(error) && ended.test(error.code));
}

/** The server shuts down, or has closed a connection that was written to or read from. */
const ended = /^(57P0.|EPIPE|ECONNRESET)$/;

/** pg's own errors have no code. Knex prefixes their messages with the query and a dash. */
const lostConnection =
  /(^| - )(Connection terminated|Query read timeout|timeout expired|timeout exceeded|Client has encountered a connection error|Client was closed)/;

/** Includes rejected connections: 28... (authorization), 3D000 (no such database), 55000 (not accepting connections). */
const unavailable =
  /^(08...|28...|3D000|53...|55000|57P0.|57014|40001|40P01|55P03|25P03|ECONN[A-Z]+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/;

/** True if a lock was not acquired within lock_timeout. */
export function isLockTimeout(error: unknown): boolean {
  return isDatabaseError(error) && error.code === '55P03';
}
