import type { Config } from '../config.ts';
import { startEmbedded } from './embedded.ts';
import { ensureDatabase } from './migrate.ts';

/** Where the two databases are. */
export interface Databases {
  readonly production: string;
  readonly sandbox: string;
  /** Starts the embedded server again when it dies; `giveUp` is told when that can't be done. */
  supervise(giveUp: (error: unknown) => void): void;
  /** Stops the embedded server, unless another process uses it; does nothing to a server of the user's. */
  stop(patience?: number): Promise<void>;
}

/** Those that the configuration names, or two on the embedded server, made if they don't exist. */
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
