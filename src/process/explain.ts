import { isConnectionLost } from '../db/errors.ts';

/** Describes a fatal error to the operator: one line, or the full stack if it is a programming error. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  if (isConnectionLost(error)) return 'The connection to the database was lost.';
  if (code !== undefined && unreachable.test(code)) return `The database can't be reached (${code}).`;
  const isBug = [TypeError, RangeError, ReferenceError, SyntaxError].some((kind) => error instanceof kind);
  return isBug ? (error.stack ?? error.message) : error.message;
}

const unreachable = /^(ECONN[A-Z]+|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/;
