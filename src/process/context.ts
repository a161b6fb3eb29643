import { type Auth, createAuth } from '../auth/auth.ts';
import { Database, type Db } from '../db/db.ts';
import { createNotifyWorkers } from '../deliveries/notify-workers.ts';
import { basePaths, type Environment } from '../environment.ts';
import { type Counters, createCounters } from '../http/limits/rate-limit.ts';
import type { Config } from './config.ts';

/** Resources of one environment. None of them is shared with the other environment. */
export interface Context {
  environment: Environment;
  /** Mount path: `/v1` or `/sandbox/v1`. */
  basePath: string;
  /** Absolute, without a trailing slash: `https://api.example.com/v1`. */
  baseUrl: string;
  databaseUrl: string;
  db: Db;
  auth: Auth;
  counters: Counters;
  /** Tells the workers of new deliveries once the transaction has committed. */
  notifyWorkers(trx: Db): void;
  /** Which addresses webhooks may point to. */
  targetRules: Config['targetRules'];
  /** Maximum total size of stored inbound payloads. Bytes. */
  inboundStorage: number;
  /** Encrypts stored secrets. */
  secretKey: Buffer;
  close(): Promise<void>;
}

interface ContextOptions extends Pick<Context, 'environment' | 'databaseUrl' | 'secretKey'> {
  /** Origin of the service as clients see it, without a trailing slash. */
  publicUrl: string;
  config: Pick<Config, 'databasePoolSize' | 'rateLimits' | 'targetRules' | 'inboundStorage'>;
}

export function createContext({
  environment,
  databaseUrl,
  secretKey,
  publicUrl,
  config,
}: ContextOptions): Context {
  const basePath = basePaths[environment];
  const baseUrl = publicUrl + basePath;
  const db = new Database(databaseUrl, config.databasePoolSize);
  const auth = createAuth({ db, databaseUrl, secretKey, environment, baseUrl });
  return {
    environment,
    basePath,
    baseUrl,
    databaseUrl,
    db,
    auth,
    counters: createCounters(config.rateLimits),
    notifyWorkers: createNotifyWorkers(db),
    targetRules: config.targetRules,
    inboundStorage: config.inboundStorage,
    secretKey,
    async close() {
      await auth.close();
      await db.close();
    },
  };
}
