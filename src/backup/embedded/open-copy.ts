import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { databaseExists } from '../../db/migrate.ts';
import { withSession } from '../../db/session.ts';
import { startEmbedded } from '../../embedded-postgres/server.ts';
import { type Environment, environments } from '../../environment.ts';
import type { SecretKey } from '../../values/secrets.ts';
import { checkSecretKey } from '../contents.ts';
import type { Contents, Manifest } from '../manifest.ts';
import { countAll } from '../queries.ts';

/**
 * Starts the PostgreSQL of a folder that is laid out like DATA_DIR, on a port that nobody else knows, and stops it again. Returns
 * what its databases contain. `use` gets the URL of each of them.
 */
export async function openCopy(
  folder: string,
  use: (url: string, environment: Environment) => Promise<void> = async () => undefined,
): Promise<Pick<Manifest, 'environments' | 'postgres'>> {
  const server = await startEmbedded(folder, { create: false });
  try {
    const found: Partial<Record<Environment, Contents>> = {};
    for (const environment of environments) {
      const database = `lead_pipeline_${environment}`;
      if (!(await databaseExists(server.url('postgres'), database))) continue;
      const url = server.url(database);
      await use(url, environment);
      found[environment] = { database, tables: await withSession(url, countAll) };
    }
    const postgres = await withSession(server.url('postgres'), async (session) => {
      const { rows } = await session.query<{ server_version: string }>('show server_version');
      return rows[0]?.server_version ?? '';
    });
    return { environments: found, postgres };
  } finally {
    await server.stop();
    // What PostgreSQL keeps of the beginning of a copy.
    await rm(join(folder, 'postgres/data/backup_label.old'), { force: true });
  }
}

/** For openCopy(): throws unless the key decrypts what is in the databases. */
export function checkKeyOf(key: SecretKey) {
  return (url: string, environment: Environment): Promise<void> =>
    withSession(url, (session) => checkSecretKey(session, key, `the ${environment} database`));
}
