import type { Config } from '../process/config.ts';
import { type EmbeddedServer, startEmbedded } from './embedded/server.ts';
import { ensureDatabase } from './migrate.ts';

/** URLs of the two databases. `supervise` and `stop` do nothing if the server is an external one. */
export interface Databases extends Pick<EmbeddedServer, 'supervise' | 'stop'> {
  readonly production: string;
  readonly sandbox: string;
}

/** Opens the configured databases, or two on the embedded server, created if missing. */
export async function openDatabases(
  config: Pick<Config, 'databases' | 'dataDir'>,
  log?: (message: string) => void,
): Promise<Databases> {
  if (config.databases) return { ...config.databases, supervise: () => {}, stop: async () => {} };
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
    production: server.url('lead_pipeline_production'),
    sandbox: server.url('lead_pipeline_sandbox'),
    supervise: server.supervise,
    stop: server.stop,
  };
}
