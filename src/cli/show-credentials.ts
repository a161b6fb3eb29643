import { hasDatabase, noDatabase } from '../embedded-postgres/cluster.ts';
import type { Environment } from '../environment.ts';
import { credentialsPath, readCredentials } from '../process/credentials-file.ts';
import { readConfig } from './read-config.ts';
import type { Report } from './report.ts';

/** Reads the file alone, so it needs no database, and starts none. */
export async function showCredentials(environment: Environment | undefined): Promise<Report> {
  const { dataDir, databases } = readConfig();
  if (databases !== undefined) {
    throw new Error(
      'DATABASE_URL is set: no credentials are kept for databases of your own, because their secrets are shown only once. ' +
        'Create a client with npx lead-pipeline clients create.',
    );
  }
  const file = credentialsPath(dataDir);
  const known = await readCredentials(dataDir);
  const clients = Object.entries(known).filter(([name]) => environment === undefined || name === environment);
  if (clients.length === 0) {
    if (!(await hasDatabase(dataDir))) throw noDatabase(dataDir);
    throw new Error(
      `${file} has no credentials${environment === undefined ? '' : ` for ${environment}`}. ` +
        'The next npm start or npx lead-pipeline init creates some.',
    );
  }
  return {
    title: `Credentials in ${file}:`,
    data: clients.map(([name, { base_url, client_id, client_secret }]) => ({
      environment: name,
      base_url,
      client_id,
      client_secret,
    })),
    json: environment === undefined ? { file, ...known } : { file, ...known[environment] },
  };
}
