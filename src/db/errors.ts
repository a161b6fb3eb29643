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

/** True if the database is unavailable at the moment. The same request may succeed later. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (lostConnection.test(error.message) || isStalePlan(error)) return true;
  return isDatabaseError(error) && transientFailures.some(({ prefix }) => error.code.startsWith(prefix));
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

/** Failures that pass by themselves: how their SQLSTATE or Node's code begins. docs/errors.md shows this table. */
export const transientFailures = [
  { prefix: '08', meaning: 'The connection failed.' },
  { prefix: '25006', meaning: 'The connection leads to a standby, which takes no writes.' },
  { prefix: '25P03', meaning: 'A transaction was idle for too long.' },
  { prefix: '28', meaning: 'PostgreSQL rejected the user or password of the service.' },
  { prefix: '3D000', meaning: 'The database does not exist.' },
  { prefix: '40001', meaning: 'Concurrent transactions could not be serialized.' },
  { prefix: '40P01', meaning: 'Two transactions waited for each other (deadlock).' },
  { prefix: '53', meaning: 'PostgreSQL is out of connections, memory or disk space.' },
  { prefix: '55000', meaning: 'PostgreSQL does not accept connections yet.' },
  { prefix: '55P03', meaning: 'A lock could not be acquired in time.' },
  { prefix: '57014', meaning: 'The query was canceled at its time limit.' },
  { prefix: '57P0', meaning: 'PostgreSQL is starting, stopping, or has ended the connection.' },
  { prefix: 'ECONN', meaning: 'The network connection was refused, reset or aborted.' },
  { prefix: 'EPIPE', meaning: 'The network connection was closed while the service was writing.' },
  { prefix: 'ETIMEDOUT', meaning: 'The database server does not respond.' },
  { prefix: 'ENOTFOUND', meaning: 'The name of the database server is unknown.' },
  { prefix: 'EAI_AGAIN', meaning: 'The name of the database server could not be looked up.' },
] as const;

/** True if a migration has changed the result of a statement that the connection has prepared. Another connection runs it. */
export function isStalePlan(error: unknown): boolean {
  return isDatabaseError(error) && 'routine' in error && error.routine === 'RevalidateCachedQuery';
}

/** True if a write reached a standby: after a failover, or before one is over. */
export function isStandby(error: unknown): error is Error {
  return isDatabaseError(error) && error.code === '25006';
}

/** True if the statement can't run, whatever its values: a table or a privilege is missing. */
export function isBrokenStatement(error: unknown): boolean {
  return isDatabaseError(error) && error.code.startsWith('42');
}

/** True if a lock was not acquired within lock_timeout. */
export function isLockTimeout(error: unknown): boolean {
  return isDatabaseError(error) && error.code === '55P03';
}

/** True if the transaction was chosen to end a deadlock. */
export function isDeadlock(error: unknown): boolean {
  return isDatabaseError(error) && error.code === '40P01';
}
