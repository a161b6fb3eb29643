import { getSystemErrorMessage } from 'node:util';
import { isConnectionLost } from '../db/errors.ts';
import type { Placed } from '../db/placed.ts';
import { shellWord } from '../values/shell-word.ts';

/** Describes a fatal error to the operator: one line, or the full stack if it is a programming error. */
export function explainError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, errno, syscall, path } = error as NodeJS.ErrnoException;
  if (path !== undefined && errno !== undefined && syscall !== 'connect') {
    const name = shellWord(path);
    const thing = syscall === 'mkdir' || syscall === 'scandir' ? `The folder ${name}` : name;
    return `${thing} can't be ${done[syscall ?? ''] ?? 'used'}: ${getSystemErrorMessage(errno)}.`;
  }
  const about: Placed = error as Error & Placed;
  const database = describeDatabase(about);
  if (silent.test(error.message)) return `${database} doesn't answer.${correct(about)}`;
  if (isConnectionLost(error)) return `The connection to ${database.replace(/^The/, 'the')} was lost.`;
  if (code !== undefined && unreachable.test(code))
    return `${database} can't be reached (${code}).${correct(about)}`;
  if (code !== undefined && 'severity' in error) return explainRefusal(error, code);
  const isBug = [TypeError, RangeError, ReferenceError, SyntaxError].some((kind) => error instanceof kind);
  if (isBug) return error.stack ?? error.message;
  // The driver's own errors, such as for a certificate.
  return about.place === undefined ? error.message : `${database} can't be used: ${error.message}.`;
}

/** Names the database as far as the error says which one it is about. */
function describeDatabase({ environment, place }: Placed): string {
  const words = ['The', environment, 'database', place && `at ${place}`];
  return words.filter((word) => word !== undefined).join(' ');
}

/** The names of the variables that an operator may have to correct. */
function variablesOf({ environment, variable = 'DATABASE_URL' }: Placed): string {
  if (environment === undefined) return `${variable} and SANDBOX_${variable}`;
  return environment === 'sandbox' ? `SANDBOX_${variable}` : variable;
}

/** A remedy for an external database. */
function correct(error: Placed): string {
  return error.variable === undefined ? '' : ` Start it, or correct ${variablesOf(error)}.`;
}

/** The action that failed, by system call. */
const done: Record<string, string> = {
  access: 'written',
  mkdir: 'created',
  open: 'opened',
  read: 'read',
  rename: 'replaced',
  rm: 'deleted',
  rmdir: 'deleted',
  scandir: 'read',
  unlink: 'deleted',
  write: 'written',
};

const unreachable = /^(ECONN[A-Z]+|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/;

/** pg's messages if a server accepts a connection, but answers nothing. */
const silent = /^(timeout expired|Connection terminated due to connection timeout)$/;

/** Explains an error from PostgreSQL, or from a pooler in front of it. */
function explainRefusal(error: Error & Placed, code: string): string {
  const { message } = error;
  const remedy = remedies.find((known) => known.code === code && known.message.test(message))?.remedy;
  const about = error.environment === undefined ? '' : `${describeDatabase(error)} can't be used. `;
  const sentences = `${about}PostgreSQL says: ${message}.${remedy === undefined ? '' : ` ${remedy}`}`;
  return sentences.replace('{urls}', variablesOf(error));
}

const urls = '{urls}';

const remedies = [
  { code: '28P01', message: /./, remedy: `Check the user and the password in ${urls}.` },
  { code: '28000', message: /./, remedy: `Check the user in ${urls}, and that pg_hba.conf lets it in.` },
  { code: '3D000', message: /./, remedy: 'Create it as docs/postgresql.md says, or correct its name.' },
  {
    code: '42501',
    message: /for database/,
    remedy:
      'Run: GRANT CONNECT, TEMPORARY ON DATABASE … TO …; with that database and the role of the service.',
  },
  {
    code: '42501',
    message: /must be owner|for (table|sequence|function|schema)/,
    remedy: 'The role of the service must own the tables: docs/postgresql.md has the commands.',
  },
  {
    code: '53300',
    message: /./,
    remedy:
      'Raise max_connections, lower DATABASE_POOL_SIZE, or add a pooler: docs/postgresql.md counts the connections.',
  },
  {
    code: '08P01',
    message: /startup parameter/,
    remedy: `The pooler does not take it: remove it from ${urls}, and set it by ALTER ROLE … SET.`,
  },
];
