import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  renameSync,
  statSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { Database } from '../../db/database.ts';
import { forgetServer } from '../../db/label.ts';
import { hasDatabase } from '../../embedded-postgres/cluster.ts';
import { openDataDir } from '../../embedded-postgres/data-dir.ts';
import { nobody } from '../../embedded-postgres/user.ts';
import type { Environment } from '../../environment.ts';
import { COPY_PREFIX, KEPT_PREFIX, removeFolder, takeDataDir } from '../../process/data-folder.ts';
import { openSecretKey } from '../../process/secret-key.ts';
import { unpack } from '../archive.ts';
import { checkFingerprints, checkSame } from '../contents.ts';
import type { Backup, Found, Manifest } from '../manifest.ts';
import { runTool } from '../run-tool.ts';
import { withStaging } from '../staging.ts';
import { stamp } from '../stamp.ts';
import { companions } from './back-up.ts';
import { checkKeyOf, openCopy } from './open-copy.ts';

/**
 * Unpacks and checks a backup beside the data of DATA_DIR, and replaces them once the operator agrees. Returns the folder with
 * the former data, if there were any.
 */
export async function restoreEmbedded(config: Config, { file, manifest, agree }: Backup): Promise<string[]> {
  const { dataDir } = config;
  const isNew = !existsSync(dataDir);
  await openDataDir(dataDir);
  const lock = await takeDataDir(dataDir);
  try {
    return await withStaging(dataDir, COPY_PREFIX, async (folder) => {
      await unpack(file, folder);
      await check(config, folder, manifest);
      await agree((await hasDatabase(dataDir)) ? await countCurrent(dataDir) : {});
      return replaceData(dataDir, folder);
    });
  } catch (error) {
    if (isNew) await removeFolder(dataDir);
    throw error;
  } finally {
    lock.release();
  }
}

/** Starts the copy, and compares it with what the manifest says. */
async function check(config: Config, folder: string, manifest: Manifest): Promise<void> {
  const isKeyIncluded = existsSync(join(folder, 'secret.key'));
  if (!isKeyIncluded && config.secretKey === undefined) {
    throw new Error(
      `This backup has no secret.key, because SECRET_KEY was set when it was made. Set SECRET_KEY to the same value (fingerprint ${manifest.secret_keys.join(' or ')}).`,
    );
  }
  await giveToPostgres(config.dataDir, join(folder, 'postgres'));
  const key = await openSecretKey({ secretKey: config.secretKey, dataDir: folder });
  const remedy = isKeyIncluded
    ? 'Unset SECRET_KEY: the backup includes its key.'
    : 'Set SECRET_KEY to the key that was used then.';
  checkFingerprints(key, manifest.secret_keys, remedy);
  const checkKey = checkKeyOf(key);
  const { environments } = await openCopy(folder, async (url, environment) => {
    await checkKey(url, environment);
    await markAsCopy(url);
  });
  for (const [name, { tables }] of Object.entries(manifest.environments))
    checkSame(name, tables, environments[name as Environment]?.tables ?? {});
}

/** A restored cluster has the identity of the original, which may still be running elsewhere. */
async function markAsCopy(url: string): Promise<void> {
  const db = new Database(url, 1);
  try {
    await forgetServer(db);
  } finally {
    await db.close();
  }
}

/** PostgreSQL doesn't run as root, so its files belong to another user then. */
async function giveToPostgres(dataDir: string, home: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const found = await stat(join(dataDir, 'postgres'))
    .catch(() => stat(dataDir))
    .then(({ uid, gid }) => ({ uid, gid }));
  const { uid, gid } = found.uid === 0 ? nobody : found;
  await runTool('chown', ['-R', `${uid}:${gid}`, home]);
}

/** What a restore would replace. Data that can't be opened are no reason not to replace them. */
async function countCurrent(dataDir: string): Promise<Found> {
  try {
    return (await openCopy(dataDir)).environments;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * Moves the former data away and the copy into place. Synchronous, so that no signal comes in between. A process that is killed
 * here leaves a folder without a database, which no start fills with an empty one: see shareDataDir().
 */
function replaceData(dataDir: string, folder: string): string[] {
  const names = ['postgres', ...companions];
  const former = names.filter((name) => lstatSync(join(dataDir, name), { throwIfNoEntry: false }));
  const kept = join(dataDir, KEPT_PREFIX + stamp());
  if (former.length > 0) {
    mkdirSync(kept, { mode: 0o700 });
    ownLike(dataDir, kept);
  }
  for (const name of former) moveAway(join(dataDir, name), join(kept, name));
  for (const name of names.toReversed().filter((one) => existsSync(join(folder, one)))) {
    if (name !== 'postgres') ownLike(dataDir, join(folder, name));
    renameSync(join(folder, name), join(dataDir, name));
  }
  return former.length > 0 ? [kept] : [];
}

/** A relative link would lead elsewhere from another folder. */
function moveAway(from: string, to: string): void {
  if (lstatSync(from).isSymbolicLink() && existsSync(from)) {
    symlinkSync(realpathSync(from), to);
    unlinkSync(from);
  } else renameSync(from, to);
}

function ownLike(dataDir: string, path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dataDir);
  chownSync(path, uid, gid);
}
