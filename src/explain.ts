/** What ended a program, for the person who ran it: a plain line, but all of it when it can only be our own mistake. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined && unreachable.test(code)) return `The database can't be reached (${code}).`;
  const isMistake = [TypeError, RangeError, ReferenceError, SyntaxError].some(
    (kind) => error instanceof kind,
  );
  return isMistake ? (error.stack ?? error.message) : error.message;
}

const unreachable = /^(ECONN[A-Z]+|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/;
