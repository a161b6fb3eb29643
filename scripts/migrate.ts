/** `npm run migrate`: migrates both databases. */

import { loadConfig } from '../src/config.ts';
import { migrateBy } from '../src/db/migrate.ts';
import { environments } from '../src/environment.ts';
import { openDatabases } from '../src/process/databases.ts';
import { explainError } from '../src/process/explain.ts';

async function main(): Promise<void> {
  const databases = await openDatabases(loadConfig(), { create: true });
  try {
    for (const environment of environments) {
      const names = await migrateBy(databases[environment]);
      console.log([`${environment}: ${names.length} migrations run`, ...names].join('\n  '));
    }
  } finally {
    await databases.stop();
  }
}

main().catch((error: unknown) => {
  console.error(explainError(error));
  process.exitCode = 1;
});
