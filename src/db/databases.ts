import type { Config } from '../process/config.ts';
import { type EmbeddedServer, startEmbedded } from './embedded/server.ts';
import { ensureDatabase } from './migrate.ts';
import { directRoute, findRoute, type Route } from './pool/route.ts';

/** The ways to the two databases. `supervise` and `stop` do nothing if the server is an external one. */
export interface Databases extends Pick<EmbeddedServer, 'supervise' | 'stop'> {
  readonly production: Route;
  readonly sandbox: Route;
}

/** Opens the configured databases, or two on the embedded server, created if missing. */
export async function openDatabases(
  config: Pick<Config, 'databases' | 'dataDir'> &
    Partial<Pick<Config, 'directDatabases' | 'preparedStatements'>>,
  log?: (message: string) => void,
): Promise<Databases> {
  const { databases, directDatabases, preparedStatements } = config;
  if (databases) {
    const find = (environment: 'production' | 'sandbox') =>
      findRoute(databases[environment], { directUrl: directDatabases?.[environment], preparedStatements });
    const [production, sandbox] = await Promise.all([find('production'), find('sandbox')]);
    return { production, sandbox, supervise: () => {}, stop: async () => {} };
  }
  const server = await startEmbedded(config.dataDir, log);
  try {
    for (const name of ['lead_pipeline_production', 'lead_pipeline_sandbox']) {
      await ensureDatabase(server.url('postgres'), name);
    }
  } catch (error) {
    await server.stop();
    throw error;
  }
  return {
    production: directRoute(server.url('lead_pipeline_production')),
    sandbox: directRoute(server.url('lead_pipeline_sandbox')),
    supervise: server.supervise,
    stop: server.stop,
  };
}
