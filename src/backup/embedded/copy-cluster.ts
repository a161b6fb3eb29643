import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, chown, lstat, mkdir, readdir, statfs, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { withSession } from '../../db/session.ts';
import { shellWord } from '../../values/shell-word.ts';

/** Room that the running server needs meanwhile. Bytes. */
const SPARE = 256 * 2 ** 20;

/** What belongs to a running server only, or is written again by the next one: see PostgreSQL's chapter on backups. */
const leftOut = /^(postmaster\.(pid|opts)|pg_internal\.init|pgsql_tmp.*)$/;
const emptied = new Set([
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_wal',
]);

/**
 * Copies the cluster of a running server, as PostgreSQL's "Making a Base Backup Using the Low Level API" describes. The copy is
 * consistent, whatever is written meanwhile: when it is started, PostgreSQL applies the log (WAL) that was written during the
 * copy. The npm package has no pg_basebackup. `url` is that of any database.
 */
export async function copyCluster(url: string, home: string, to: string): Promise<void> {
  const [from, data] = [join(home, 'data'), join(to, 'data')];
  await checkRoom(home, to);
  await copyEntry(home, to, { except: new Set(['data']) });
  await withSession(url, async (session) => {
    // Keeps the log until the connection ends.
    const slot = `lead_pipeline_backup_${process.pid}`;
    await session.query('select pg_create_physical_replication_slot($1, true, true)', [slot]);
    await session.query("select pg_backup_start('lead-pipeline data backup', true)");
    await copyEntry(from, data, { except: new Set(['pg_control']), emptied });
    // Last, so that it doesn't know of anything later than the copied files.
    await copyEntry(join(from, 'global/pg_control'), join(data, 'global/pg_control'));
    const { rows } = await session.query<Record<'last' | 'labelfile' | 'spcmapfile', string>>(
      'select pg_walfile_name(lsn) as last, labelfile, spcmapfile from pg_backup_stop(false)',
    );
    const [{ last = '', labelfile = '', spcmapfile = '' } = {}] = rows;
    if (spcmapfile !== '')
      throw new Error('The embedded PostgreSQL has tablespaces, which this command does not copy.');
    const [, first = ''] = /\(file (\w+)\)/.exec(labelfile) ?? [];
    const isNeeded = (name: string) => /^[0-9A-F]{24}$/.test(name) && name >= first && name <= last;
    for (const name of (await readdir(join(from, 'pg_wal'))).filter(isNeeded))
      await copyEntry(join(from, 'pg_wal', name), join(data, 'pg_wal', name));
    const label = join(data, 'backup_label');
    await writeFile(label, labelfile, { mode: 0o600 });
    await ownLike(from, label);
  });
}

interface Choice {
  /** Names that are left out, in any folder. */
  except?: ReadonlySet<string>;
  /** Folders of the cluster that are copied without their content. */
  emptied?: ReadonlySet<string>;
}

/** Copies a file or a folder with its owner and mode. PostgreSQL may delete and shorten files meanwhile. */
async function copyEntry(from: string, to: string, choice: Choice = {}): Promise<void> {
  const found = await lstat(from).catch(ignoreMissing);
  if (found === undefined) return;
  if (found.isDirectory()) {
    await mkdir(to, { mode: 0o700, recursive: true });
    const names = choice.emptied?.has(basename(from)) ? await subfolders(from) : await readdir(from);
    for (const name of names.filter((one) => !leftOut.test(one) && !choice.except?.has(one)))
      await copyEntry(join(from, name), join(to, name), choice);
  } else {
    const isCopied = await pipeline(createReadStream(from), createWriteStream(to, { flags: 'wx' })).then(
      () => true,
      ignoreMissing,
    );
    if (isCopied === undefined) return;
  }
  await chmod(to, found.mode & 0o777);
  await ownLike(from, to);
}

/** PostgreSQL expects the folders in pg_wal, such as archive_status, but not those in pg_replslot, which are slots. */
async function subfolders(folder: string): Promise<string[]> {
  if (basename(folder) !== 'pg_wal') return [];
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

async function ownLike(from: string, to: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const found = await lstat(from).catch(ignoreMissing);
  if (found !== undefined) await chown(to, found.uid, found.gid);
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** A copy that fills the disk would stop the running server. */
async function checkRoom(home: string, to: string): Promise<void> {
  const { bavail, bsize } = await statfs(join(to, '..'));
  const needed = (await sizeOf(home)) + SPARE;
  if (bavail * bsize >= needed) return;
  const mebibytes = Math.ceil(needed / 2 ** 20);
  throw new Error(
    `A backup needs ${mebibytes} MiB of free space in ${shellWord(join(to, '../..'))} for a copy that it checks, and then removes.`,
  );
}

async function sizeOf(path: string): Promise<number> {
  const found = await lstat(path).catch(ignoreMissing);
  if (!found?.isDirectory()) return found?.size ?? 0;
  let size = 0;
  for (const name of await readdir(path).catch(() => [])) size += await sizeOf(join(path, name));
  return size;
}
