import type { Command } from 'commander';
import { add, register } from './command.ts';

/** `data list`, `data url` and `data remove`. */
export function addDataCommands(program: Command): void {
  const data = program
    .command('data')
    .description('data folders on this machine: databases, keys and credentials');

  register(data, 'list', 'list DATA_DIR and all databases under /var/lib/lead-pipeline-api', async () => {
    const { listDataFolders } = await import('../embedded-postgres/data-folders.ts');
    const { loadConfig } = await import('../config.ts');
    const folders = await listDataFolders(loadConfig().dataDir);
    return { title: 'Data folders:', data: folders.map((folder) => ({ ...folder })) };
  });

  add(data, 'url', 'print the URL of a database, for psql or pg_dump', async ({ databaseUrl }) => ({
    title: 'URL of the database, with its password:',
    data: { url: databaseUrl },
  }));

  register(
    data,
    'remove <folder>',
    'delete a data folder permanently: its databases, keys and credentials; stop its service first',
    async (command) => {
      const [folder = ''] = command.args;
      // It would be the current folder, for instance where a script's variable is not set.
      if (folder === '') throw new Error('The name of the folder is empty.');
      const { findDataFolder, removeDataFolder } = await import('../embedded-postgres/data-folders.ts');
      const { confirmRemoval } = await import('./confirm.ts');
      const found = await findDataFolder(folder);
      if (!command.opts<{ yes?: boolean }>().yes) await confirmRemoval(found);
      return { title: 'Deleted:', data: { ...(await removeDataFolder(folder)) } };
    },
  ).option('--yes', 'do not ask for confirmation; required unless stdin is a terminal');
}
