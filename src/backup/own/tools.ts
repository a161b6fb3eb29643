import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { programFolders, toolEnvironment } from '../../config-environment.ts';
import { placeOf } from '../../config-values.ts';
import { shellWord } from '../../values/shell-word.ts';
import { runTool } from '../run-tool.ts';

export interface Tool {
  path: string;
  /** PostgreSQL's major version. */
  version: number;
}

type Name = 'pg_dump' | 'pg_restore';

const execute = promisify(execFile);

/**
 * Finds a tool of at least this version: in the given folder, or else in PATH and where Debian's and Red Hat's packages put each
 * version's programs. Of several, takes the oldest: pg_restore of a newer version may use settings that the server doesn't know.
 */
export async function findTool(name: Name, minimum: number, folder?: string): Promise<Tool> {
  const folders = folder === undefined ? await usualFolders() : [folder];
  const found = await Promise.all(folders.map((one) => look(join(one, name))));
  const tools = found.filter((tool) => tool !== undefined);
  const fitting = tools.filter(({ version }) => version >= minimum);
  const [first] = fitting.toSorted((a, b) => a.version - b.version);
  if (first !== undefined) return first;
  const seen = tools.map(({ path, version }) => `${shellWord(path)} has version ${version}`);
  throw new Error(
    `${name} of PostgreSQL ${minimum} or newer is needed${seen.length === 0 ? ', and none was found' : `, but ${[...new Set(seen)].join(', and ')}`}. ` +
      `Install it (Debian: postgresql-client-${minimum}), or name its folder with --pg-bin.`,
  );
}

async function usualFolders(): Promise<string[]> {
  const debian = await readdir('/usr/lib/postgresql').catch(() => []);
  const redHat = (await readdir('/usr').catch(() => [])).filter((name) => name.startsWith('pgsql-'));
  return [
    ...programFolders(),
    ...debian.map((version) => `/usr/lib/postgresql/${version}/bin`),
    ...redHat.map((name) => `/usr/${name}/bin`),
  ];
}

async function look(path: string): Promise<Tool | undefined> {
  try {
    const { stdout } = await execute(path, ['--version']);
    return { path, version: Number(/ (\d+)/.exec(stdout)?.[1] ?? 0) };
  } catch {
    return undefined;
  }
}

/** Parameters of a URL that libpq knows, of those that matter to a tool. It rejects a URL with others, such as the driver's own. */
const known =
  /^(host|port|user|passfile|connect_timeout|options|keepalives\w*|tcp_user_timeout|ssl(mode|rootcert|cert|key|crl|password|negotiation)|channel_binding|gssencmode|krbsrvname)$/;

/** Runs a tool on a database. The password is passed in the environment, since everybody can read a command's arguments. */
export async function runOn(url: string, { path }: Tool, args: readonly string[]): Promise<void> {
  const [authority = '', query = ''] = url.split('?', 2);
  const given = new URLSearchParams(query);
  const parameters = new URLSearchParams([...given].filter(([name]) => known.test(name)));
  // The driver's name for TLS without a check of the certificate.
  if (parameters.get('sslmode') === 'no-verify') parameters.set('sslmode', 'require');
  const [, scheme = '', user = '', password, rest = ''] =
    /^(\w+:\/\/)(?:([^:@/]*)(?::([^@]*))?@)?(.*)$/.exec(authority) ?? [];
  const secret = given.get('password') ?? (password === undefined ? undefined : decodeURIComponent(password));
  const database = `${scheme}${user === '' ? '' : `${user}@`}${rest}${parameters.size > 0 ? `?${parameters.toString().replaceAll('+', '%20')}` : ''}`;
  const env = toolEnvironment({ LC_ALL: 'C', ...(secret !== undefined && { PGPASSWORD: secret }) });
  await runTool(path, [...args, '--no-password', `--dbname=${database}`], env).catch((error: Error) => {
    throw new Error(`${error.message} (${placeOf(url)})`);
  });
}
