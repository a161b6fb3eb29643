import type { Config } from '../config.ts';
import { startEmbedded } from './embedded.ts';
import { ensureDatabase } from './migrate.ts';

/** URLs of the two databases. */
export interface Databases {
  readonly production: string;
  readonly sandbox: string;
  /** Starts the embedded server again when it ends; calls `giveUp` if that fails. No-op for an external server. */
  supervise(giveUp: (error: unknown) => void): void;
  /** Stops the embedded server within `timeout` milliseconds if this process started it. No-op for an external server. */
  stop(timeout?: number): Promise<void>;
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
