import { type Command, Option } from 'commander';
import { environments } from '../environment.ts';
import { add, type Options, register } from './command.ts';

/** Adds `init`, `credentials`, `counters verify`, and the commands of `data`. */
export function addDataCommands(program: Command): void {
  register(
    program,
    'init',
    'create the data folder with its key, databases and credentials, as the first npm start does; repeating it is safe',
    async () => {
      const { initialize } = await import('./initialize.ts');
      return initialize();
    },
  );

  register(
    program,
    'credentials',
    'show where the credentials of the first client are, and print them',
    async (command) => {
      const { showCredentials } = await import('./show-credentials.ts');
      return showCredentials(command.opts<Partial<Options>>().environment);
    },
  ).addOption(
    new Option('--environment <environment>', 'only the credentials of this environment').choices(
      environments,
    ),
  );

  const data = program.command('data').description('the databases of both environments');

  add(data, 'url', 'print the URL of a database, for psql or pg_dump', async ({ databaseUrl, isOwn }) => {
    if (isOwn) {
      process.stderr.write(
        'PostgreSQL runs only while the service or another command does: start the service before you use this address.\n',
      );
    }
    return { title: 'URL of the database:', data: { url: databaseUrl }, text: databaseUrl };
  });

  add(
    data,
    'label',
    'make a database that of an environment, such as a dump of production that becomes the sandbox',
    async (target, options) => {
      const { labelDatabase } = await import('./label-database.ts');
      return labelDatabase(target, options);
    },
    { isUnchecked: true },
  )
    .option('--database <name>', 'the name of the database, required with --yes')
    .option('-y, --yes', 'label it without asking');

  add(
    data,
    'adopt',
    'make a copy an original, such as a restored backup: the service sends its webhooks and runs its jobs',
    async (target, options) => {
      const { adoptDatabase } = await import('./label-database.ts');
      return adoptDatabase(target, options);
    },
  )
    .option('--database <name>', 'the name of the database, required with --yes')
    .option('-y, --yes', 'adopt it without asking');

  const pgBin = 'folder of pg_dump and pg_restore, if those in PATH are too old for your server';

  register(
    data,
    'backup <file>',
    'back up the databases of both environments into one new file, and check it; the service may be running',
    async (command) => {
      const { backUpData } = await import('./back-up-data.ts');
      return backUpData(command.args[0] ?? '', command.opts<Options>());
    },
  ).option('--pg-bin <folder>', pgBin);

  register(
    data,
    'restore <file>',
    'replace the databases of both environments by those of a backup, and keep the former ones; the service must not run',
    async (command) => {
      const { restoreData } = await import('./restore-data.ts');
      return restoreData(command.args[0] ?? '', command.opts<Options>());
    },
  )
    .option('--pg-bin <folder>', pgBin)
    .option(
      '--server-url <url>',
      'your server, for a role that may create databases, unless that of DATABASE_URL may',
    )
    .option('--database <name>', "the name of the first environment's database, required with --yes")
    .option('--folder <name>', 'the same for the embedded databases: the name of the data folder')
    .option('-y, --yes', 'restore without asking');

  register(
    data,
    'remove',
    'delete the data folder: both embedded databases, the credentials and the key; the service must not run',
    async (command) => {
      const { removeData } = await import('./remove-data.ts');
      return removeData(command.opts<Options>());
    },
  ).option('-y, --yes', 'delete without asking');

  const counters = program.command('counters').description('the lead counts that lists and reports read');

  add(
    counters,
    'verify',
    'recount all leads and list the counters that differ; exit code 1 if any do',
    async ({ db }, { repair = false }) => {
      const { verifyCounters } = await import('./verify-counters.ts');
      return verifyCounters(db, repair);
    },
  ).option('--repair', 'rebuild all counters if any differ; writes wait until it has finished');
}
