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
