import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/** The message is one line that says what to do. */
export class EmbeddedError extends Error {
  override name = 'EmbeddedError';
}

/** What to do about a folder that this user may not read. */
export const OTHER_USER =
  'It belongs to another user: run this as the user who started the service, or set DATA_DIR to a folder of your own.';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** The user for new clusters if nobody else can be, because PostgreSQL refuses to run as root. */
export const nobody: Account = { uid: 65_534, gid: 65_534 };

const execute = promisify(execFile);

/** Runs a program with an empty environment, so that the user's PGDATA or LANG has no effect. */
export async function run(program: string, options: readonly string[], account?: Account) {
  const [file, args] = asUser(account, program, options);
  return execute(file, args, { cwd: '/', env: { LC_ALL: 'C' }, maxBuffer: 2 ** 24 });
}

/**
 * A command line that runs the program as this user, who may also read what only root can: the project and DATA_DIR may be in
 * a folder such as /root. Node's own `uid` would take that right away.
 */
export function asUser(
  account: Account | undefined,
  program: string,
  options: readonly string[],
): [string, readonly string[]] {
  if (account === undefined) return [program, options];
  const capability = readCapability();
  const flags = [
    `--reuid=${account.uid}`,
    `--regid=${account.gid}`,
    '--clear-groups',
    '--no-new-privs',
    `--inh-caps=+${capability}`,
    `--ambient-caps=+${capability}`,
    // Otherwise access(2), by which initdb looks for postgres, ignores the capability.
    '--securebits=+no_setuid_fixup',
  ];
  return ['setpriv', [...flags, '--', program, ...options]];
}

/** `dac_read_search` permits reading only. Docker's containers don't have it by default. */
function readCapability(): string {
  const [, effective = '0'] = /^CapEff:\s*(\w+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return BigInt(`0x${effective}`) & 0b100n ? 'dac_read_search' : 'dac_override';
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
