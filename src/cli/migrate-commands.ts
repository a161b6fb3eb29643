import type { Command } from 'commander';
import type { Route } from '../db/pool/route.ts';
import type { Environment } from '../environment.ts';
import { type Options, register } from './command.ts';
import type { Report } from './report.ts';

/** `migrate`, `migrate:rollback` and `migrate:make`, named like the npm scripts that run them. */
export function addMigrateCommands(program: Command): void {
  register(program, 'migrate', 'run the pending migrations of both databases', async () => {
    const { migrateBy } = await import('../db/migrate.ts');
    return inEachDatabase('Migrations run:', migrateBy);
  });

  register(
    program,
    'migrate:rollback',
    "roll back each database's latest migrations; this deletes their data",
    async (command) => {
      const { rollBack } = await import('../db/migrate.ts');
      const { confirm } = await import('./confirm.ts');
      return inEachDatabase('Migrations rolled back:', rollBack, (environments) =>
        confirm(
          {
            what: `This rolls back the latest migrations of ${environments.join(' and ')}, and deletes their data.`,
            name: environments[0] ?? '',
          },
          command.opts<Options>(),
        ),
      );
    },
  ).option('-y, --yes', 'roll back without asking');

  register(program, 'migrate:make <name>', 'create the file of a new migration', async ({ args }) => {
    const { makeMigration } = await import('../db/migrate.ts');
    return { title: 'Created a migration:', data: { file: await makeMigration(args[0] ?? '') } };
  });
}

async function inEachDatabase(
  title: string,
  run: (route: Route, environment: Environment) => Promise<string[]>,
  confirm?: (environments: readonly string[]) => Promise<void>,
): Promise<Report> {
  const { loadConfig } = await import('../config.ts');
  const { openDatabases } = await import('../process/databases.ts');
  const { announce } = await import('./database.ts');
  const config = loadConfig();
  const databases = await openDatabases(config);
  try {
    for (const environment of config.environments) announce(config, environment);
    await confirm?.(config.environments);
    const data: { environment: string; migration: string }[] = [];
    for (const environment of config.environments) {
      const names = await run(await databases.findRoute(environment), environment);
      data.push(...names.map((migration) => ({ environment, migration })));
    }
    return { title, data };
  } finally {
    await databases.stop();
  }
}
