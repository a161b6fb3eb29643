import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { commandLine } from './processes.ts';

/** The message is one line that says what to do. */
export class EmbeddedError extends Error {
  override name = 'EmbeddedError';
}

/** User to run PostgreSQL as, which refuses to run as root. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Holds files that the user postgres can't access inside the project or DATA_DIR, when started as root. */
const sharedFolder = '/var/lib/lead-pipeline-api';

const execute = promisify(execFile);

/** Runs a program with an empty environment, so that the user's PGDATA or LANG has no effect. */
export async function run(program: string, options: readonly string[], account?: Account) {
  return execute(program, options, { ...account, cwd: '/', env: { LC_ALL: 'C' }, maxBuffer: 2 ** 24 });
}

/** First line of the program's stderr or, without one, of the error's message. */
export function reason(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message?: string };
  const line = (stderr?.trim() || message || String(error)).trim().split('\n')[0] ?? '';
  return line.replace(/^.*(FATAL|PANIC): +/, '');
}

// useradd overwrites a user that another useradd creates concurrently, hence the lock.
const findOrMakeUser = `
  id postgres >/dev/null 2>&1 || { mkdir -p "$1" && flock "$1" sh -c 'id postgres >/dev/null 2>&1 || {
    groupadd --system --force postgres &&
    useradd --system --gid postgres --no-create-home --home-dir /nonexistent --shell /bin/false postgres
  }'; }
  id -u postgres && id -g postgres`;

/** The user postgres, created if missing. Throws EmbeddedError if that fails. */
export async function postgresAccount(): Promise<Account> {
  try {
    const { stdout } = await execute('/bin/sh', ['-c', findOrMakeUser, 'sh', sharedFolder]);
    const [uid = 0, gid = 0] = stdout.trim().split('\n').map(Number);
    return { uid, gid };
  } catch (error) {
    throw new EmbeddedError(
      `PostgreSQL does not run as root, and the user postgres could not be created (${reason(error)}): ` +
        'create that user, start as a regular user, or set DATABASE_URL.',
    );
  }
}

/** Whether the account can write to the folder, through all its parents. Tested by access, because of ACLs and mounts. */
export function canWrite(account: Account, folder: string): Promise<boolean> {
  const test = run('/bin/sh', ['-c', 'test -w "$1" && test -x "$1"', 'sh', folder], account);
  return test.then(() => true).catch(() => false);
}

export async function makeSharedFolder(): Promise<string> {
  await mkdir(sharedFolder, { recursive: true });
  await chmod(sharedFolder, 0o755);
  return sharedFolder;
}

/** Creates a temporary folder, to be renamed to `path`. Its name has the pid; folders of killed processes are removed. */
export async function newFolder(path: string): Promise<string> {
  const parent = dirname(path);
  const prefix = `${basename(path)}.new-`;
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix) || commandLine(Number.parseInt(name.slice(prefix.length), 10))) continue;
    // Retried, because the initdb of a killed process may still write to it for a moment.
    const options = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 };
    await rm(join(parent, name), options).catch(() => undefined);
  }
  const folder = join(parent, `${prefix}${process.pid}-${randomBytes(4).toString('hex')}`);
  await mkdir(folder, { mode: 0o700 });
  return folder;
}

/** True if another process has created the same path first. */
export function isTaken(error: unknown): boolean {
  return ['EEXIST', 'ENOTEMPTY'].includes((error as NodeJS.ErrnoException).code ?? '');
}
