import { type Command, Option } from 'commander';
import type { Route } from '../db/pool/route.ts';
import { type Environment, environments } from '../environment.ts';
import { type Options, register } from './command.ts';
import type { Report } from './report.ts';

/** `check`; `migrate` and `migrate:rollback`, named like the npm scripts that run them. */
export function addMigrateCommands(program: Command): void {
  register(
    program,
    'check',
    'check whether this version can start here: settings, databases, privileges, schema and key; changes nothing',
    async () => {
      const { check } = await import('./check.ts');
      return check();
    },
  );

  register(program, 'migrate', 'run the pending migrations of both databases', migrateEach);

  register(
    program,
    'migrate:rollback',
    "roll back an environment's database to an earlier release; this deletes what only later ones have",
    async (command) => {
      const { rollBackDatabase } = await import('./roll-back.ts');
      return rollBackDatabase(command.opts<Options>());
    },
  )
    .addOption(
      new Option('--environment <environment>', 'the environment to roll back')
        .choices(environments)
        .makeOptionMandatory(),
    )
    .addOption(new Option('--to <release>', 'the release to go back to, such as 1.0.0').makeOptionMandatory())
    .option('--database <name>', 'the name of the database, required with --yes')
    .option('-y, --yes', 'roll back without asking');
}

async function migrateEach(): Promise<Report> {
  const { readConfig } = await import('./read-config.ts');
  const { checkRights, describeSchema, inspectDatabase } = await import('../db/check-database.ts');
  const { placeOf } = await import('../config-values.ts');
  const { checkLabel } = await import('../db/label.ts');
  const { migrateBy } = await import('../db/migrate.ts');
  const { openDatabases, reportWait } = await import('../process/databases.ts');
  const { announce } = await import('./database.ts');
  const config = readConfig();
  const databases = await openDatabases(config);
  try {
    for (const environment of config.environments) announce(config, environment);
    const routes = new Map<Environment, Route>();
    for (const environment of config.environments) {
      const route = await databases.findRoute(environment);
      await checkRights(route);
      const found = await inspectDatabase(route);
      checkLabel(found, environment, placeOf(route.url));
      await describeSchema(found, route);
      routes.set(environment, route);
    }
    // Only now, so that a fault of the sandbox's database leaves production as it was.
    const data: { environment: string; migration: string }[] = [];
    for (const [environment, route] of routes) {
      const names = await migrateBy(route, environment, reportWait);
      data.push(...names.map((migration) => ({ environment, migration })));
    }
    return { title: 'Migrations run:', data };
  } finally {
    await databases.stop();
  }
}
