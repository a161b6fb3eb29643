import type { Logger } from 'pino';
import { type Auth, createAuth } from './auth/auth.ts';
import type { Config } from './config.ts';
import { Database } from './db/database.ts';
import { createListener, type Listener } from './db/pool/listener.ts';
import { createPrimary, type Primary } from './db/pool/primary.ts';
import { createProbe, type Probe } from './db/pool/probe.ts';
import type { Route } from './db/pool/route.ts';
import { createReplica, type OnReplicaChange, type Replica } from './db/replica/replica.ts';
import type { TraceQuery } from './db/trace.ts';
import { basePaths, type Environment } from './environment.ts';
import { createEventWatch, type EventWatch } from './events/watch.ts';
import { type AnswerStorage, createAnswerStorage } from './http/idempotency/answer-storage.ts';
import { type Counters, createCounters } from './http/limits/rate-limit.ts';
import type { CreateStore } from './http/limits/shared-counts.ts';
import { createSnapshots, type ReadSnapshot } from './http/limits/snapshots.ts';

/** Resources of one environment. None of them is shared with the other environment. */
export interface Context {
  environment: Environment;
  /** Mount path: `/v1` or `/sandbox/v1`. */
  basePath: string;
  /** Absolute, without a trailing slash: `https://api.example.com/v1`. */
  baseUrl: string;
  /** How to reach it. */
  database: Route;
  db: Database;
  /** Which server is the primary, for further connections to it. */
  primary: Primary;
  listener: Listener;
  /** Asks the database over a connection of its own. */
  probe: Probe;
  auth: Auth;
  /** For those who wait for events. */
  eventWatch: EventWatch;
  /** Reads all matching rows of a list, for an answer of any size. */
  readSnapshot: ReadSnapshot;
  /** For reports and exports, which may be a moment behind. Undefined if there is none. */
  replica: (Replica & Pick<Context, 'readSnapshot'>) | undefined;
  counters: Counters;
  /** Which addresses webhooks may point to. */
  targetRules: Config['targetRules'];
  /** Maximum total size of stored inbound payloads. Bytes. */
  inboundStorage: number;
  /** Maximum total size of rows that imports keep. Bytes. */
  importStorage: number;
  /** Bounds the stored answers to requests with an Idempotency-Key. */
  answerStorage: AnswerStorage;
  /** Encrypts stored secrets. */
  secretKey: Buffer;
  logger: Logger;
  close(): Promise<void>;
}

interface ContextOptions extends Pick<Context, 'environment' | 'database' | 'secretKey' | 'logger'> {
  replicaUrl?: string | undefined;
  /** Origin of the service as clients see it, without a trailing slash. */
  publicUrl: string;
  /** Called when notifications of the database don't arrive. */
  onDeaf?: () => void;
  traceQuery?: TraceQuery | undefined;
  config: Pick<
    Config,
    | 'databasePoolSize'
    | 'rateLimits'
    | 'targetRules'
    | 'inboundStorage'
    | 'importStorage'
    | 'idempotencyStorage'
  >;
  /** Where requests are counted. Defaults to the memory of this process. */
  createStore?: CreateStore | undefined;
}

export function createContext({
  environment,
  database,
  replicaUrl,
  secretKey,
  publicUrl,
  onDeaf,
  config,
  createStore,
  logger,
  traceQuery,
}: ContextOptions): Context {
  const basePath = basePaths[environment];
  const baseUrl = publicUrl + basePath;
  const { url, directUrl = url } = database;
  const primary = createPrimary();
  const db = new Database(url, config.databasePoolSize, { ...database, primary, trace: traceQuery });
  const probe = createProbe(url, primary);
  const listener = createListener({
    url: directUrl,
    primary: database.isPooled ? undefined : primary,
    send: probe.run,
    onDeaf,
  });
  const auth = createAuth({ db, listener, secretKey, environment, baseUrl });
  const answerStorage = createAnswerStorage(db, config.idempotencyStorage);
  const eventWatch = createEventWatch(db, listener);
  const snapshotsOf = createSnapshots();
  const onChange: OnReplicaChange = (isUsed, about) => {
    if (isUsed) logger.info({ environment, ...about }, 'Reports and exports are read from the replica.');
    else logger.warn({ environment, ...about }, 'The replica is not used: the primary is read.');
  };
  const direct = { url: directUrl, ...(database.directUrl !== undefined && { prove: primary.prove }) };
  const openReplica = (replicaUrl: string) => {
    const poolSize = config.databasePoolSize;
    const options = { ...database, url: replicaUrl, poolSize, trace: traceQuery, primary: probe, onChange };
    const opened = createReplica(options);
    return { ...opened, readSnapshot: snapshotsOf(opened.source, direct) };
  };
  const replica = replicaUrl === undefined ? undefined : openReplica(replicaUrl);
  return {
    environment,
    basePath,
    baseUrl,
    database,
    db,
    primary,
    listener,
    probe,
    auth,
    eventWatch,
    readSnapshot: snapshotsOf(direct),
    replica,
    counters: createCounters(
      config.rateLimits,
      createStore && ((name) => createStore(`${environment}:${name}`)),
    ),
    targetRules: config.targetRules,
    inboundStorage: config.inboundStorage,
    importStorage: config.importStorage,
    answerStorage,
    secretKey,
    logger,
    async close() {
      eventWatch.stop();
      answerStorage.close();
      await listener.close();
      await Promise.all([replica?.close(), probe.close(), db.close()]);
    },
  };
}
