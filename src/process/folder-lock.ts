import { chownSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { EmbeddedError, OTHER_USER } from '../embedded-postgres/user.ts';
import { shellWord } from '../values/shell-word.ts';

/** The file in DATA_DIR that carries the lock. It stays empty. */
export const LOCK_FILE = 'lock';
/** How long to wait for a process that only tries whether the folder is free. Milliseconds. */
const WAIT = 1_000;
/** Result codes of SQLite. */
const BUSY = 5;
const CANNOT_OPEN = 14;

export interface FolderLock {
  release(): void;
}

/**
 * Marks a data folder as in use while this process lives. Each service and each command that opens the folder holds the lock,
 * shared. Throws while another process has taken the folder for itself.
 *
 * The lock is SQLite's on an empty file. So the kernel holds it: it ends with its process, even by SIGKILL, and it needs no
 * PostgreSQL. Node has no flock(), and a file with a pid outlives its process.
 */
export function shareFolder(dataDir: string): FolderLock {
  const lock = acquire(dataDir, 'begin; select count(*) from sqlite_schema');
  if (lock !== undefined) return lock;
  throw new EmbeddedError(
    `A command is removing or restoring the data in ${shellWord(dataDir)}. Wait until it has ended.`,
  );
}

/** Takes a data folder, so that no other process opens it. Throws if a service or a command uses it. */
export function takeFolder(dataDir: string): FolderLock {
  const lock = acquire(dataDir, 'begin exclusive');
  if (lock !== undefined) return lock;
  throw new EmbeddedError(`A service or a command is using ${shellWord(dataDir)}. Stop it first.`);
}

/** Undefined if another process is in the way. */
function acquire(dataDir: string, statement: string): FolderLock | undefined {
  const file = join(dataDir, LOCK_FILE);
  createLock(file);
  const { ino } = statSync(file);
  const database = new DatabaseSync(file, { timeout: WAIT });
  try {
    // Otherwise SQLite adds the file of a journal.
    database.exec(`pragma journal_mode = memory; ${statement}`);
  } catch (error) {
    database.close();
    const { errcode } = error as { errcode?: number };
    if (errcode === BUSY) return undefined;
    if (errcode === CANNOT_OPEN) throw notOurs(file);
    throw error;
  }
  // A process that removed the folder has deleted the file too. Lock the one that others will find.
  if (statSync(file, { throwIfNoEntry: false })?.ino === ino) return { release: () => database.close() };
  database.close();
  return acquire(dataDir, statement);
}

function notOurs(file: string): EmbeddedError {
  return new EmbeddedError(`${shellWord(file)} can't be opened. ${OTHER_USER}`);
}

/** Doesn't open an existing file: closing it again would release the locks that this process has on it. */
function createLock(file: string): void {
  try {
    writeFileSync(file, '', { flag: 'wx', mode: 0o600 });
    const { uid, gid } = statSync(dirname(file));
    // Root must not lock out the user of the service.
    if (process.getuid?.() === 0) chownSync(file, uid, gid);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES') throw notOurs(file);
    if (code !== 'EEXIST') throw error;
  }
}
