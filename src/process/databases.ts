import type { Config } from '../config.ts';
import type { Report } from '../db/advisory-lock.ts';
import { databaseExists, ensureDatabase } from '../db/migrate.ts';
import { placed } from '../db/placed.ts';
import { directRoute, findRoute, type Route } from '../db/pool/route.ts';
import { noDatabase } from '../embedded-postgres/cluster.ts';
import { startForCommand } from '../embedded-postgres/command-server.ts';
import { type EmbeddedServer, startEmbedded } from '../embedded-postgres/server.ts';
import type { Environment } from '../environment.ts';
import { shareDataDir } from './data-folder.ts';

/** Leads to the databases. With an external server, `isOwn` is false, and `supervise` and `stop` do nothing. */
export interface Databases extends Pick<EmbeddedServer, 'isOwn' | 'supervise' | 'stop'> {
  /** Finds out how to reach an environment's database. Rejects if it can't be reached. */
  findRoute(environment: Environment): Promise<Route>;
}

/** Commands say on stderr what they wait for, since stdout has only the result. */
export const reportWait: Report = (message) => {
  process.stderr.write(`${message}\n`);
};

interface OpenOptions {
  log?: (message: string) => void;
  /** Says what the embedded server waits for. */
  report?: Report;
  /** Creates the databases of the embedded server if they are missing. */
  create?: boolean;
  /** Whether other commands may use the embedded server too, so that it runs until they have ended. */
  isCommand?: boolean;
  /** Whether a standby is an error. */
  needsPrimary?: boolean;
}

/** Opens the configured databases, or those of the embedded server. */
export async function openDatabases(
  config: Pick<Config, 'databases' | 'dataDir'> &
    Partial<Pick<Config, 'directDatabases' | 'preparedStatements'>>,
  { log, report = reportWait, create = false, isCommand = !create, needsPrimary = false }: OpenOptions = {},
): Promise<Databases> {
  const { databases, directDatabases, preparedStatements } = config;
  if (databases) {
    return {
      async findRoute(environment) {
        const url = databases[environment];
        if (url === undefined) throw new Error(`The ${environment} database has no URL.`);
        const directUrl = directDatabases?.[environment];
        return findRoute(url, { directUrl, preparedStatements, needsPrimary }).catch((error: unknown) => {
          throw placed(error, { environment });
        });
      },
      isOwn: false,
      supervise: () => {},
      stop: async () => {},
    };
  }
  const lock = await shareDataDir(config, create);
  const server = await (isCommand
    ? startForCommand(config.dataDir, create, report)
    : startEmbedded(config.dataDir, { log, report, create })
  ).catch((error: unknown) => {
    lock.release();
    throw error;
  });
  return {
    ...server,
    stop: (timeout) => server.stop(timeout).finally(lock.release),
    async findRoute(environment) {
      const name = `lead_pipeline_${environment}`;
      if (create) await ensureDatabase(server.url('postgres'), name);
      else if (!(await databaseExists(server.url('postgres'), name))) throw noDatabase(config.dataDir);
      return directRoute(server.url(name));
    },
  };
}
