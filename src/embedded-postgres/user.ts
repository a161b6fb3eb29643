import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The message is one line that says what to do. */
export class EmbeddedError extends Error {
  override name = 'EmbeddedError';
}

/** What to do about a folder that this user may not read. */
export const OTHER_USER = 'It belongs to another user: run this as the user who started the service.';

/** User to run PostgreSQL as, which refuses to run as root. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Holds what the user postgres can't access inside the project or DATA_DIR, when started as root. */
export const sharedFolder = '/var/lib/lead-pipeline-api';

const execute = promisify(execFile);

/** Runs a program with an empty environment, so that the user's PGDATA or LANG has no effect. */
export async function run(program: string, options: readonly string[], account?: Account) {
  return execute(program, options, { ...account, cwd: '/', env: { LC_ALL: 'C' }, maxBuffer: 2 ** 24 });
}

/** Runs the shell script unless the condition already holds. Locked against processes that start at the same time. */
export async function runUnless(condition: string, script: string, ...parameters: string[]): Promise<void> {
  const locked = `install -d -m 755 "$0" && exec flock "$0" sh -c '${condition} || { ${script}; }' "$0" "$@"`;
  await run('/bin/sh', ['-c', `${condition} || { ${locked}; }`, sharedFolder, ...parameters]);
}

/** First line of the program's stderr or, without one, of the error's message. */
export function reason(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message?: string };
  const line = (stderr?.trim() || message || String(error)).trim().split('\n')[0] ?? '';
  return line.replace(/^.*(FATAL|PANIC): +/, '');
}

/** Undefined if the program succeeds. */
export function faultOf(...command: Parameters<typeof run>): Promise<string | undefined> {
  return run(...command).then(() => undefined, reason);
}

/** The user postgres, created if missing. Throws EmbeddedError if that fails. */
export async function postgresAccount(): Promise<Account> {
  try {
    await runUnless(
      'id postgres >/dev/null 2>&1',
      'groupadd --system --force postgres && useradd --system --gid postgres --no-create-home ' +
        '--home-dir /nonexistent --shell /bin/false postgres',
    );
    const [uid, gid] = await Promise.all(['-u', '-g'].map((option) => run('id', [option, 'postgres'])));
    return { uid: Number(uid?.stdout), gid: Number(gid?.stdout) };
  } catch (error) {
    throw new EmbeddedError(
      `PostgreSQL does not run as root, and the user postgres could not be created (${reason(error)}): ` +
        'create that user, start as a regular user, or set DATABASE_URL.',
    );
  }
}
