import { placeOf } from '../config-values.ts';
import { countTables } from '../db/count-tables.ts';
import { adoptServer, describeCopy, isCopy, relabel } from '../db/label.ts';
import { readBacklog } from '../telemetry/queries.ts';
import type { Options } from './command.ts';
import { confirmDatabase } from './confirm.ts';
import type { CommandTarget } from './database.ts';
import type { Report } from './report.ts';

/** Makes a database with tables that of the environment. */
export async function labelDatabase(target: CommandTarget, options: Options): Promise<Report> {
  const { db, found, environment } = target;
  const { name, hasTables, label } = found;
  if (!hasTables) {
    throw new Error(
      `The database ${name} is empty, so it needs no label: npm start, npx lead-pipeline init and npx lead-pipeline migrate ` +
        'give it one with its tables.',
    );
  }
  if (label?.environment === environment)
    return { title: 'The database has this label already:', data: describe(target) };
  const counts = (await countTables(db)).filter(({ rows }) => rows > 0);
  const rows = counts.map((count) => `  ${count.table.padEnd(24)} ${count.rows}\n`).join('') || '  none\n';
  const now = label === undefined ? 'has no label' : `is labelled ${label.environment}`;
  const what =
    `The database ${name} at ${placeOf(target.databaseUrl)} ${now}. Its rows:\n${rows}` +
    `This makes it the ${environment} database.`;
  await confirmDatabase({ what, name }, options);
  await relabel(db, environment);
  if (label === undefined || isCopy(found)) process.stderr.write(`${describeCopy(environment)}.\n`);
  return { title: 'The database has a new label:', data: describe(target) };
}

/** Makes a copy of a database an original. */
export async function adoptDatabase(target: CommandTarget, options: Options): Promise<Report> {
  const { db, found } = target;
  if (!isCopy(found))
    return { title: 'The database is not a copy. Nothing has changed:', data: describe(target) };
  const work = await readBacklog(db);
  const what =
    `The database ${found.name} at ${placeOf(target.databaseUrl)} is a copy. This starts its work: the service sends its ` +
    `webhooks (${work.due} deliveries are due), runs its imports (${work.imports_queued + work.imports_running} wait), bulk ` +
    `jobs (${work.bulk_jobs_queued + work.bulk_jobs_running} wait) and replays, and deletes what has expired. If a service ` +
    'still runs on the original, receivers get every webhook twice.';
  await confirmDatabase({ what, name: found.name }, options);
  await adoptServer(db, found);
  return { title: 'The database is adopted. Its work starts within ten seconds:', data: describe(target) };
}

function describe({ found, databaseUrl, environment }: CommandTarget) {
  return { environment, database: found.name, place: placeOf(databaseUrl) };
}
