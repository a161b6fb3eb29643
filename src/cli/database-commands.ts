import type { Command } from 'commander';
import type { Route } from '../db/pool/route.ts';
import { add, register } from './command.ts';
import type { Report } from './report.ts';

/** `data url`, and `migrate`, `migrate:rollback` and `migrate:make`, named like the npm scripts that run them. */
export function addDatabaseCommands(program: Command): void {
  const data = program.command('data').description('the databases of both environments');

  add(data, 'url', 'print the URL of a database, for psql or pg_dump', async ({ databaseUrl }) => ({
    title: 'URL of the database, with its password:',
    data: { url: databaseUrl },
  }));

  register(program, 'migrate', 'create missing databases and run pending migrations', async () => {
    const { migrateBy } = await import('../db/migrate.ts');
    return inEachDatabase('Migrations run:', true, migrateBy);
  });

  register(
    program,
    'migrate:rollback',
    "roll back each database's latest migrations; this deletes their data",
    async () => {
      const { rollBack } = await import('../db/migrate.ts');
      return inEachDatabase('Migrations rolled back:', false, rollBack);
    },
  );

  register(program, 'migrate:make <name>', 'create the file of a new migration', async ({ args }) => {
    const { makeMigration } = await import('../db/migrate.ts');
    return { title: 'Created a migration:', data: { file: await makeMigration(args[0] ?? '') } };
  });
}

async function inEachDatabase(
  title: string,
  create: boolean,
  run: (route: Route) => Promise<string[]>,
): Promise<Report> {
  const { loadConfig } = await import('../config.ts');
  const { openDatabases } = await import('../process/databases.ts');
  const config = loadConfig();
  const databases = await openDatabases(config, { create });
  try {
    const data: { environment: string; migration: string }[] = [];
    for (const environment of config.environments) {
      const names = await run(await databases.findRoute(environment));
      data.push(...names.map((migration) => ({ environment, migration })));
    }
    return { title, data };
  } finally {
    await databases.stop();
  }
}
