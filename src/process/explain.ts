import { getSystemErrorMessage } from 'node:util';
import { isConnectionLost } from '../db/errors.ts';

/** Describes a fatal error to the operator: one line, or the full stack if it is a programming error. */
export function explainError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, errno, syscall, path } = error as NodeJS.ErrnoException;
  if (path !== undefined && errno !== undefined && syscall !== 'connect') {
    const thing = syscall === 'mkdir' || syscall === 'scandir' ? `The folder ${path}` : path;
    return `${thing} can't be ${done[syscall ?? ''] ?? 'used'}: ${getSystemErrorMessage(errno)}.`;
  }
  if (isConnectionLost(error)) return 'The connection to the database was lost.';
  if (code !== undefined && unreachable.test(code)) return `The database can't be reached (${code}).`;
  if (code !== undefined && 'severity' in error) return explainRefusal(code, withoutQuery(error.message));
  const isBug = [TypeError, RangeError, ReferenceError, SyntaxError].some((kind) => error instanceof kind);
  return isBug ? (error.stack ?? error.message) : error.message;
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

/** Explains an error from PostgreSQL, or from a pooler in front of it. */
function explainRefusal(code: string, message: string): string {
  const remedy = remedies.find((known) => known.code === code && known.message.test(message))?.remedy;
  return `PostgreSQL says: ${message}.${remedy === undefined ? '' : ` ${remedy}`}`;
}

const urls = 'DATABASE_URL and SANDBOX_DATABASE_URL';

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

/** Knex prefixes the message with the query and a dash. */
function withoutQuery(message: string): string {
  return message.slice(message.lastIndexOf('\n') + 1).replace(/^.* - /, '');
}
