import { type Auth, createAuth } from './auth/auth.ts';
import type { Config } from './config.ts';
import { createKnex, type Db } from './db/knex.ts';
import { basePaths, type Environment } from './environment.ts';
import type { EnqueueDeliveries } from './http/operation.ts';
import { type Counters, createCounters } from './http/rate-limit.ts';

/** What one environment owns. Nothing of it is shared with the other. */
export interface Context {
  environment: Environment;
  /** Where it is mounted: `/v1` or `/sandbox/v1`. */
  basePath: string;
  /** Absolute, without a trailing slash. */
  baseUrl: string;
  db: Db;
  auth: Auth;
  counters: Counters;
  enqueueDeliveries: EnqueueDeliveries;
  close(): Promise<void>;
}

export interface ContextOptions {
  environment: Environment;
  /** Origin of the service as clients see it, without a trailing slash. */
  publicUrl: string;
  databaseUrl: string;
  poolSize: number;
  secretKey: Buffer;
  rateLimits: Config['rateLimits'];
}

export function createContext(options: ContextOptions): Context {
  const { environment, databaseUrl, secretKey } = options;
  const basePath = basePaths[environment];
  const baseUrl = options.publicUrl + basePath;
  const db = createKnex(databaseUrl, options.poolSize);
  const auth = createAuth({ db, databaseUrl, secretKey, environment, baseUrl });
  return {
    environment,
    basePath,
    baseUrl,
    db,
    auth,
    counters: createCounters(options.rateLimits),
    async enqueueDeliveries() {
      throw new Error('There is no queue for deliveries yet.');
    },
    async close() {
      await auth.close();
      await db.destroy();
    },
  };
}
