import pg from 'pg';
import { TimeoutError } from '../values/deadline.ts';

/** SQLSTATE and constraint of a failed query (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
interface DatabaseError {
  message: string;
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
  return isDatabaseError(error) && error.code === '57014' && !isCanceled(error);
}

/** True if somebody canceled the query. PostgreSQL uses the code of a time-out for it; its messages may be localized. */
function isCanceled(error: unknown): boolean {
  return isDatabaseError(error) && error.code === '57014' && /due to user request/.test(error.message);
}

/** True if the database is unavailable at the moment. The same request may succeed later. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (lostConnection.test(error.message) || isStalePlan(error) || isConflict(error)) return true;
  return transientFailure(error) !== undefined;
}

/**
 * Another transaction has changed what this one relies on: a row that it has looked up is gone, or one that it missed is there.
 * The transaction is repeated. If that doesn't help, the request gets 503.
 */
export class ConflictError extends Error {
  override name = 'ConflictError';
  /** For the client, if repeating the transaction doesn't help. */
  readonly told: string;

  constructor(told = CONCURRENT, cause?: unknown) {
    super('Concurrent transactions changed the same rows.', { cause });
    this.told = told;
  }
}

/** True if the same transaction may succeed when it is repeated: PostgreSQL aborted it because of others, or a ConflictError. */
export function isConflict(error: unknown): boolean {
  return error instanceof ConflictError || (isDatabaseError(error) && /^(40001|40P01)$/.test(error.code));
}

/** True if a connection has ended or no longer answers, for instance because the server shuts down. */
export function isConnectionLost(error: Error): boolean {
  return lostConnection.test(error.message) || (isDatabaseError(error) && ended.test(error.code));
}

/** The connection was lost during COMMIT, so nobody knows whether the transaction was committed. */
export class UnknownOutcomeError extends Error {
  override name = 'UnknownOutcomeError';
  override message = 'The connection was lost during COMMIT.';
  /** SQLSTATE transaction_resolution_unknown. */
  readonly code = '08007';
}

/** The error of a COMMIT: the outcome is known only if PostgreSQL itself refused it. */
export function commitError(error: unknown): unknown {
  const isRefusal = error instanceof pg.DatabaseError && !ended.test(error.code ?? '');
  return isRefusal ? error : new UnknownOutcomeError(undefined, { cause: error });
}

/** The server is shutting down, or closed the connection during a read or write. */
const ended = /^(57P0.|EPIPE|ECONNRESET)$/;

/** pg-pool's error when no connection became free in time. */
const noFreeConnection = /^timeout exceeded when trying to connect/;

/** pg's own errors have no code. */
const lostConnection =
  /^(Connection terminated|Query read timeout|timeout expired|timeout exceeded|Client has encountered a connection error|Client was closed)/;

const TRY_AGAIN = 'Try again shortly.';
const UNREACHABLE = `The service cannot reach its database at the moment. ${TRY_AGAIN}`;
const STANDBY = `The database server accepts no writes at the moment, as during a failover. ${TRY_AGAIN}`;
const IDLE = `The request paused for too long and was rolled back. ${TRY_AGAIN}`;
const CONCURRENT =
  'Other requests changed the same data at the same time, so this one was rolled back. Send it again.';
const LOCKED = `Another request is still changing the same data. ${TRY_AGAIN}`;
const EXHAUSTED = `The database is out of connections, memory or disk space. ${TRY_AGAIN}`;
const TOO_LONG = `The request kept the database busy for too long and was rolled back. ${TRY_AGAIN}`;
const CANCELED = `Somebody canceled the query in the database. ${TRY_AGAIN}`;
const BUSY = `All of the service's connections to its database are in use. ${TRY_AGAIN}`;
const LATE = `The request could not be completed in time. ${TRY_AGAIN}`;
const MIGRATED = `The database has just been migrated. ${TRY_AGAIN}`;

/** Transient failures: the start of their SQLSTATE or Node error code, and the message for clients. Shown in docs/errors.md. */
export const transientFailures = [
  { prefix: '08', meaning: 'The connection failed.', message: UNREACHABLE },
  {
    prefix: '25006',
    meaning: 'The connection leads to a standby, which accepts no writes.',
    message: STANDBY,
  },
  { prefix: '25P03', meaning: 'A transaction was idle for too long.', message: IDLE },
  {
    prefix: '25P04',
    meaning: 'A transaction took longer than its request may take.',
    message: LATE,
  },
  { prefix: '28', meaning: 'PostgreSQL rejected the user or password of the service.', message: UNREACHABLE },
  { prefix: '3D000', meaning: 'The database does not exist.', message: UNREACHABLE },
  { prefix: '40001', meaning: 'Concurrent transactions could not be serialized.', message: CONCURRENT },
  { prefix: '40P01', meaning: 'Two transactions waited for each other (deadlock).', message: CONCURRENT },
  { prefix: '53', meaning: 'PostgreSQL is out of connections, memory or disk space.', message: EXHAUSTED },
  { prefix: '55000', meaning: 'PostgreSQL does not accept connections yet.', message: UNREACHABLE },
  { prefix: '55P03', meaning: 'A lock could not be acquired in time.', message: LOCKED },
  { prefix: '57014', meaning: 'The query was canceled at its time limit.', message: TOO_LONG },
  {
    prefix: '57P0',
    meaning: 'PostgreSQL is starting, stopping, or has ended the connection.',
    message: UNREACHABLE,
  },
  {
    prefix: 'ECONN',
    meaning: 'The network connection was refused, reset or aborted.',
    message: UNREACHABLE,
  },
  {
    prefix: 'EPIPE',
    meaning: 'The network connection was closed while the service was writing.',
    message: UNREACHABLE,
  },
  { prefix: 'ETIMEDOUT', meaning: 'The database server does not respond.', message: UNREACHABLE },
  { prefix: 'EHOSTUNREACH', meaning: 'The database server is unreachable.', message: UNREACHABLE },
  {
    prefix: 'ENETUNREACH',
    meaning: 'The network of the database server is unreachable.',
    message: UNREACHABLE,
  },
  { prefix: 'ENOTFOUND', meaning: 'The name of the database server is unknown.', message: UNREACHABLE },
  {
    prefix: 'EAI_AGAIN',
    meaning: 'The name of the database server could not be looked up.',
    message: UNREACHABLE,
  },
] as const;

function transientFailure(error: unknown) {
  return isDatabaseError(error)
    ? transientFailures.find(({ prefix }) => error.code.startsWith(prefix))
    : undefined;
}

/** True if waiting for the database may help. It doesn't for a wrong password or name, or a pooler's settings. */
export function isOutage(error: unknown): boolean {
  const isRefusal =
    isDatabaseError(error) &&
    (/^(28|3D000)/.test(error.code) || /startup parameter|no such|config error/.test(error.message));
  return isUnavailable(error) && !isRefusal;
}

/** The message for clients about a transient failure. */
export function describeUnavailable(error: unknown): string {
  if (error instanceof TimeoutError) return LATE;
  if (isCanceled(error)) return CANCELED;
  if (isStalePlan(error)) return MIGRATED;
  if (isConflict(error)) return error instanceof ConflictError ? error.told : CONCURRENT;
  if (error instanceof Error && noFreeConnection.test(error.message)) return BUSY;
  return transientFailure(error)?.message ?? UNREACHABLE;
}

/** Failures caused by clients' concurrent requests. The database itself is healthy. */
const byClients: readonly string[] = [IDLE, CONCURRENT, LOCKED, TOO_LONG, CANCELED, BUSY, LATE];

/** True if the database failed, but not because of clients' requests. */
export function isDatabaseFault(error: unknown): boolean {
  return isUnavailable(error) && !byClients.includes(describeUnavailable(error));
}

/** True if a migration changed the columns of a prepared statement. Another connection can run it. */
export function isStalePlan(error: unknown): boolean {
  return isDatabaseError(error) && 'routine' in error && error.routine === 'RevalidateCachedQuery';
}

/** True if a write reached a standby, after or during a failover. */
export function isStandby(error: unknown): error is Error {
  return isDatabaseError(error) && error.code === '25006';
}

/** True if the statement fails with any values, because a table or a privilege is missing. */
export function isBrokenStatement(error: unknown): boolean {
  return isDatabaseError(error) && error.code.startsWith('42');
}

/** True if a lock was not acquired within lock_timeout. */
export function isLockTimeout(error: unknown): boolean {
  return isDatabaseError(error) && error.code === '55P03';
}

/** True if PostgreSQL aborted the transaction to resolve a deadlock. */
export function isDeadlock(error: unknown): boolean {
  return isDatabaseError(error) && error.code === '40P01';
}
