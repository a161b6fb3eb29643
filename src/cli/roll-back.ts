import { type Loss, rollBack } from '../db/roll-back.ts';
import { openDatabases, reportWait } from '../process/databases.ts';
import type { Options } from './command.ts';
import { confirmDatabase } from './confirm.ts';
import { announce } from './database.ts';
import { readConfig } from './read-config.ts';
import type { Report } from './report.ts';

/** Rolls one environment's database back to a release. */
export async function rollBackDatabase(options: Options): Promise<Report> {
  const { environment, to } = options;
  const config = readConfig();
  if (!config.environments.includes(environment))
    throw new Error(`ENVIRONMENTS does not include ${environment}, so no command works in it.`);
  const databases = await openDatabases(config);
  try {
    announce(config, environment);
    const rolledBack = await rollBack(await databases.findRoute(environment), {
      environment,
      to,
      report: reportWait,
      confirm: ({ name, migrations, losses }) =>
        confirmDatabase(
          {
            what:
              `This rolls the ${environment} database ${name} back to ${to}, by ${migrations.length} migrations. ` +
              describe(losses),
            name,
          },
          options,
        ),
    });
    const data = rolledBack.map((migration) => ({ environment, migration }));
    return { title: 'Migrations rolled back:', data };
  } finally {
    await databases.stop();
  }
}

function describe(losses: readonly Loss[]): string {
  if (losses.length === 0) return 'It deletes no data.';
  const lines = losses.map(({ what, rows }) => `  ${what}: ${rows} ${rows === 1 ? 'row' : 'rows'}`);
  return ['It deletes this data for good:', ...lines].join('\n');
}
