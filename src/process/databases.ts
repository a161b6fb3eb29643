import type { Config } from '../config.ts';
import { databaseExists, ensureDatabase } from '../db/migrate.ts';
import { directRoute, findRoute, type Route } from '../db/pool/route.ts';
import { noDatabase } from '../embedded-postgres/cluster.ts';
import { startForCommand } from '../embedded-postgres/command-server.ts';
import { type EmbeddedServer, startEmbedded } from '../embedded-postgres/server.ts';

/** The ways to the two databases. `isOwn` is false, and `supervise` and `stop` do nothing, if the server is an external one. */
export interface Databases extends Pick<EmbeddedServer, 'isOwn' | 'supervise' | 'stop'> {
  readonly production: Route;
  readonly sandbox: Route;
}

interface OpenOptions {
  log?: (message: string) => void;
  create?: boolean;
  /** Tries again if an external database can't be reached. By default, there is one attempt, and a standby will do. */
  reach?: <Result>(environment: 'production' | 'sandbox', attempt: () => Promise<Result>) => Promise<Result>;
}

/** Opens the configured databases, or two on the embedded server. If `create` is set, creates those that are missing. */
export async function openDatabases(
  config: Pick<Config, 'databases' | 'dataDir'> &
    Partial<Pick<Config, 'directDatabases' | 'preparedStatements'>>,
  { log, create = false, reach }: OpenOptions = {},
): Promise<Databases> {
  const { databases, directDatabases, preparedStatements } = config;
  if (databases) {
    const find = (environment: 'production' | 'sandbox') => {
      const directUrl = directDatabases?.[environment];
      const options = { directUrl, preparedStatements, needsPrimary: reach !== undefined };
      const attempt = () => findRoute(databases[environment], options);
      return reach === undefined ? attempt() : reach(environment, attempt);
    };
    const [production, sandbox] = await Promise.all([find('production'), find('sandbox')]);
    return { production, sandbox, isOwn: false, supervise: () => {}, stop: async () => {} };
  }
  const server = await (create ? startEmbedded(config.dataDir, log) : startForCommand(config.dataDir));
  try {
    for (const name of ['lead_pipeline_production', 'lead_pipeline_sandbox']) {
      if (create) await ensureDatabase(server.url('postgres'), name);
      else if (!(await databaseExists(server.url('postgres'), name))) throw noDatabase(config.dataDir);
    }
  } catch (error) {
    await server.stop();
    throw error;
  }
  return {
    production: directRoute(server.url('lead_pipeline_production')),
    sandbox: directRoute(server.url('lead_pipeline_sandbox')),
    isOwn: server.isOwn,
    supervise: server.supervise,
    stop: server.stop,
  };
}
