import { basename, dirname, join } from 'node:path';
import type { Config } from '../../config.ts';
import { placeOf } from '../../config-values.ts';
import { inspect } from '../../db/inspect.ts';
import { checkLabel } from '../../db/label.ts';
import { withSession } from '../../db/session.ts';
import type { Environment } from '../../environment.ts';
import { openSecretKey } from '../../process/secret-key.ts';
import type { SecretKey } from '../../values/secrets.ts';
import { shellWord } from '../../values/shell-word.ts';
import { unpack } from '../archive.ts';
import { checkFingerprints, checkSame, checkSecretKey } from '../contents.ts';
import type { Backup, Contents, Manifest } from '../manifest.ts';
import { countAll } from '../queries.ts';
import { withStaging } from '../staging.ts';
import { stamp } from '../stamp.ts';
import { dumpName } from './back-up.ts';
import { exchange } from './exchange.ts';
import { createDatabase, dropDatabase, findStamped, grantUse, lockRestores } from './queries.ts';
import { findTarget, inDatabase, type Target } from './target.ts';
import { findTool, runOn, type Tool } from './tools.ts';

/** Maximum length of a name in PostgreSQL. */
const MAX_NAME = 63;
/** Before the time, in the name of a database that is being filled. */
const FRESH = '_restoring_';

interface OwnOptions {
  pgBin?: string;
  serverUrl?: string;
}

/**
 * Restores each dump into a new database, checks it there, and gives it the name of the old one, which is kept under another name
 * and closed for connections.
 */
export async function restoreOwn(
  config: Config,
  { file, manifest, agree }: Backup,
  options: OwnOptions,
): Promise<string[]> {
  const key = await openSecretKey(config);
  checkManifest(config, { file, manifest }, key);
  const targets: Target[] = [];
  for (const environment of config.environments)
    targets.push(await findTarget(config, environment, options.serverUrl, manifest.postgres));
  const versions = targets.map(({ environment }) => contentsOf(manifest, environment).dumped_by ?? 0);
  const tool = await findTool('pg_restore', Math.max(...versions), options.pgBin);
  await agree(await countCurrent(targets));
  return alone(targets, () =>
    withStaging(dirname(file), `${basename(file)}.unpacked-`, async (folder) => {
      await unpack(file, folder);
      const at = stamp();
      const namesOf = (target: Target) => ({
        fresh: nameBeside(target, FRESH + at),
        old: nameBeside(target, `_before_${at}`),
      });
      try {
        for (const target of targets)
          await fill(target, namesOf(target).fresh, { folder, manifest, key, tool });
        return await exchange(targets, namesOf);
      } catch (error) {
        for (const target of targets) await drop(target, namesOf(target).fresh).catch(() => undefined);
        throw error;
      }
    }),
  );
}

/** Runs a task while no other process restores these databases: it would drop what it takes for left over. */
async function alone<Result>(
  [target, ...others]: readonly Target[],
  task: () => Promise<Result>,
): Promise<Result> {
  if (target === undefined) return task();
  return withSession(target.adminUrl, async (session) => {
    if (await lockRestores(session, target.name)) return alone(others, task);
    throw new Error(`Another command is restoring the database ${target.name}. Wait until it has ended.`);
  });
}

function nameBeside({ name }: Target, suffix: string): string {
  return name.slice(0, MAX_NAME - suffix.length) + suffix;
}

function contentsOf(manifest: Manifest, environment: Environment): Contents {
  return manifest.environments[environment] ?? { database: '', tables: {} };
}

/** Throws if the backup can't be restored with the settings. */
function checkManifest(
  config: Config,
  { file, manifest }: Pick<Backup, 'file' | 'manifest'>,
  key: SecretKey,
): void {
  const missing = config.environments.filter(
    (environment) => manifest.environments[environment] === undefined,
  );
  if (missing.length > 0) {
    const has = Object.keys(manifest.environments).join(' and ');
    throw new Error(
      `${shellWord(file)} has only the ${has} database, and not the ${missing.join(' and ')} one. To restore what it has, set ENVIRONMENTS=${has}.`,
    );
  }
  checkFingerprints(key, manifest.secret_keys, 'Set SECRET_KEY to the key that was used then.');
}

async function countCurrent(targets: readonly Target[]): Promise<Manifest['environments']> {
  const counted: Manifest['environments'] = {};
  for (const { environment, name, url, current } of targets) {
    if (current === undefined) continue;
    const tables = await withSession(url, async (session) => {
      const found = await inspect(session);
      if (found.label !== undefined) checkLabel(found, environment, placeOf(url));
      return countAll(session);
    });
    counted[environment] = { database: name, tables };
  }
  return counted;
}

interface FillOptions {
  folder: string;
  manifest: Manifest;
  key: SecretKey;
  tool: Tool;
}

/** Creates a database from the dump, and checks it. */
async function fill(
  target: Target,
  name: string,
  { folder, manifest, key, tool }: FillOptions,
): Promise<void> {
  const { environment } = target;
  const contents = contentsOf(manifest, environment);
  await dropLeft(target);
  await create(target, name, contents);
  const url = inDatabase(target.url, name);
  // Comments on extensions are their owner's, and other roles may be missing here.
  const options = ['--exit-on-error', '--no-owner', '--no-privileges', '--no-comments'];
  await runOn(url, tool, [...options, join(folder, dumpName(environment))]);
  await withSession(url, async (session) => {
    checkLabel(await inspect(session), environment, placeOf(url));
    checkSame(environment, contents.tables, await countAll(session));
    await checkSecretKey(session, key, `the restored ${environment} database`);
    await session.query('analyze');
  });
}

/** With the owner and the locale of the database that it will replace. Without one, of the backup's, for the service's role. */
async function create({ adminUrl, role, current }: Target, name: string, contents: Contents): Promise<void> {
  const owner = current?.owner ?? role;
  const locale = current?.locale ?? contents.locale;
  await withSession(adminUrl, (session) => createDatabase(session, name, { owner, locale }));
  // The service's role can't do this itself in a database of another role.
  if (owner !== role)
    await withSession(inDatabase(adminUrl, name), (session) => grantUse(session, name, role));
}

/** Drops what killed restores of the same database have left. */
async function dropLeft(target: Target): Promise<void> {
  const start = nameBeside(target, FRESH + stamp()).slice(0, -stamp().length);
  const left = await withSession(target.adminUrl, (session) => findStamped(session, start));
  for (const name of left) await drop(target, name);
}

async function drop({ adminUrl }: Target, name: string): Promise<void> {
  await withSession(adminUrl, (session) => dropDatabase(session, name));
}
