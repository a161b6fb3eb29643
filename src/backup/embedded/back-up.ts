import { constants } from 'node:fs';
import { copyFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { startForCommand } from '../../embedded-postgres/command-server.ts';
import { COPY_PREFIX, shareDataDir } from '../../process/data-folder.ts';
import { reportWait } from '../../process/databases.ts';
import { openSecretKey } from '../../process/secret-key.ts';
import { pack } from '../archive.ts';
import { fingerprints } from '../contents.ts';
import { MANIFEST, type Manifest, writeManifest } from '../manifest.ts';
import { withStaging } from '../staging.ts';
import { copyCluster } from './copy-cluster.ts';
import { checkKeyOf, openCopy } from './open-copy.ts';

/** Files of DATA_DIR that belong to its databases. */
export const companions = ['secret.key', 'credentials.json'];

/** Backs up the embedded cluster, its key and the first credentials. A service may be running. */
export async function backUpEmbedded(config: Config, file: string): Promise<Manifest> {
  const { dataDir } = config;
  const lock = await shareDataDir(config, false);
  try {
    const key = await openSecretKey(config);
    return await withStaging(dataDir, COPY_PREFIX, async (folder) => {
      await copyRunning(dataDir, join(folder, 'postgres'));
      const created = new Date();
      const names = [MANIFEST, 'postgres'];
      // With SECRET_KEY, a file may be there that belongs to no database.
      for (const name of config.secretKey === undefined ? companions : ['credentials.json'])
        if (await copyIfExists(join(dataDir, name), join(folder, name))) names.push(name);
      const found = await openCopy(folder, checkKeyOf(key));
      const manifest = await writeManifest(folder, {
        kind: 'embedded',
        created_at: created.toISOString(),
        secret_keys: fingerprints(key),
        ...found,
      });
      await pack(folder, names, file);
      return manifest;
    });
  } finally {
    lock.release();
  }
}

async function copyRunning(dataDir: string, to: string): Promise<void> {
  const server = await startForCommand(dataDir, false, reportWait);
  try {
    await copyCluster(server.url('postgres'), await realpath(join(dataDir, 'postgres')), to);
  } finally {
    await server.stop();
  }
}

async function copyIfExists(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return false;
  }
}
