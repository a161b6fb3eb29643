import { type Auth, createAuth } from './auth/auth.ts';
import type { Config } from './config.ts';
import { Database, type Db } from './db/db.ts';
import { createNotifyWorkers } from './deliveries/notify-workers.ts';
import { basePaths, type Environment } from './environment.ts';
import type { OperationContext } from './http/operation.ts';
import { type Counters, createCounters } from './http/rate-limit.ts';

/** Resources of one environment. None of them is shared with the other environment. */
export interface Context {
  environment: Environment;
  /** Mount path: `/v1` or `/sandbox/v1`. */
  basePath: string;
  /** Absolute, without a trailing slash. */
  baseUrl: string;
  db: Db;
  auth: Auth;
  counters: Counters;
  notifyWorkers: OperationContext['notifyWorkers'];
  targetRules: OperationContext['targetRules'];
  inboundStorage: OperationContext['inboundStorage'];
  /** Encrypts stored secrets. */
  secretKey: Buffer;
  close(): Promise<void>;
}

interface ContextOptions {
  environment: Environment;
  /** Origin of the service as clients see it, without a trailing slash. */
  publicUrl: string;
  databaseUrl: string;
  poolSize: number;
  secretKey: Buffer;
  rateLimits: Config['rateLimits'];
  targetRules: Config['targetRules'];
  inboundStorage: Config['inboundStorage'];
}

export function createContext(options: ContextOptions): Context {
  const { environment, databaseUrl, secretKey } = options;
  const basePath = basePaths[environment];
  const baseUrl = options.publicUrl + basePath;
  const db = new Database(databaseUrl, options.poolSize);
  const auth = createAuth({ db, databaseUrl, secretKey, environment, baseUrl });
  return {
    environment,
    basePath,
    baseUrl,
    db,
    auth,
    counters: createCounters(options.rateLimits),
    notifyWorkers: createNotifyWorkers(db),
    targetRules: options.targetRules,
    inboundStorage: options.inboundStorage,
    secretKey,
    async close() {
      await auth.close();
      await db.close();
    },
  };
}
