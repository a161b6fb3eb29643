import { basename } from 'node:path';
import { removeFolder, requireData, takeDataDir } from '../process/data-folder.ts';
import { shellWord } from '../values/shell-word.ts';
import { confirm } from './confirm.ts';
import { readConfig } from './read-config.ts';
import type { Report } from './report.ts';

/** Deletes what the service has written to DATA_DIR. */
export async function removeData(options: { yes?: boolean }): Promise<Report> {
  const { dataDir, databases } = readConfig();
  if (databases !== undefined) {
    throw new Error(
      'DATABASE_URL is set, and this command deletes only embedded databases. Drop your own with psql: DROP DATABASE.',
    );
  }
  await requireData(dataDir);
  // Until the data is gone, no service and no other command opens the folder.
  const lock = await takeDataDir(dataDir);
  try {
    const what = `This deletes the databases of production and sandbox, the credentials and the key in ${shellWord(dataDir)}, for good.`;
    await confirm({ what, name: basename(dataDir) || dataDir }, options);
    return report(dataDir, await removeFolder(dataDir));
  } finally {
    lock.release();
  }
}

function report(dataDir: string, kept: readonly string[]): Report {
  return kept.length === 0
    ? { title: 'Deleted the data folder:', data: { folder: dataDir } }
    : {
        title: 'Deleted the data. The folder stays, because it has other files:',
        data: { folder: dataDir, kept: kept.join(', ') },
      };
}
