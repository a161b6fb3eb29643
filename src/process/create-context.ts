import { createAuth } from '../auth/auth.ts';
import type { Config } from '../config.ts';
import { placeOf } from '../config-values.ts';
import type { Context } from '../context.ts';
import { Database } from '../db/database.ts';
import { describeCopy } from '../db/label.ts';
import { snapshotReader } from '../db/list/snapshot-reader.ts';
import { createListener } from '../db/pool/listener.ts';
import { createPrimary } from '../db/pool/primary.ts';
import { checkSame } from '../db/pool/server.ts';
import { createProbe, type State } from '../db/probe.ts';
import { createReplica, type OnReplicaChange } from '../db/replica/replica.ts';
import type { TraceQuery } from '../db/trace.ts';
import { basePaths } from '../environment.ts';
import { createHistory } from '../events/history.ts';
import { createEventWatch } from '../events/watch.ts';
import { createAnswerStorage } from '../http/idempotency/answer-storage.ts';
import { targetRulesIn } from '../webhooks/target.ts';

interface ContextOptions
  extends Pick<Context, 'environment' | 'database' | 'rateLimiters' | 'secretKey' | 'logger'> {
  replicaUrl?: string | undefined;
  /** Origin of the service as clients see it, without a trailing slash. */
  publicUrl: string;
  traceQuery?: TraceQuery | undefined;
  config: Pick<
    Config,
    | 'databasePoolSize'
    | 'targetRules'
    | 'inboundStorage'
    | 'importStorage'
    | 'defaultCountry'
    | 'idempotencyStorage'
  >;
}

export function createContext({
  environment,
  database,
  replicaUrl,
  rateLimiters,
  secretKey,
  publicUrl,
  config,
  logger,
  traceQuery,
}: ContextOptions): Context {
  const basePath = basePaths[environment];
  const baseUrl = publicUrl + basePath;
  const { url, directUrl = url } = database;
  const primary = createPrimary();
  const db = new Database(url, config.databasePoolSize, { ...database, primary, trace: traceQuery });
  const onState = (state: State, before: State | undefined) => {
    if (state.fault !== undefined)
      logger.error({ environment, reason: state.fault }, "The database can't be used.");
    else if (state.isCopy) logger.warn({ environment }, describeCopy(environment));
    else if (before !== undefined) logger.info({ environment }, 'The database can be used, and is no copy.');
  };
  const probe = createProbe({ url, place: placeOf(url), environment, primary, onChange: onState });
  const listener = createListener({
    url: database.directUrl,
    check: database.isPooled ? async (server) => checkSame(server, await db.server()) : primary.check,
  });
  const auth = createAuth({ db, listener, secretKey, environment, baseUrl });
  const answerStorage = createAnswerStorage(db, config.idempotencyStorage);
  const eventWatch = createEventWatch(db, listener);
  const history = createHistory({ db, environment, logger });
  const onChange: OnReplicaChange = (isUsed, about) => {
    if (isUsed) logger.info({ environment, ...about }, 'Reports and exports are read from the replica.');
    else logger.warn({ environment, ...about }, 'The replica is not used: the primary is read.');
  };
  const direct = { url: directUrl, ...(database.directUrl !== undefined && { prove: primary.prove }) };
  const openReplica = (replicaUrl: string) => {
    const poolSize = config.databasePoolSize;
    const options = { ...database, url: replicaUrl, poolSize, trace: traceQuery, primary: db, onChange };
    const opened = createReplica(options);
    return { ...opened, readSnapshot: snapshotReader(opened.source, direct) };
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
    history,
    readSnapshot: snapshotReader(direct),
    replica,
    rateLimiters,
    targetRules: targetRulesIn(environment, config.targetRules),
    inboundStorage: config.inboundStorage,
    importStorage: config.importStorage,
    defaultCountry: config.defaultCountry,
    answerStorage,
    secretKey,
    logger,
    async close() {
      eventWatch.stop();
      await auth.recordUses().catch(() => undefined);
      answerStorage.close();
      listener.close();
      probe.close();
      await Promise.all([replica?.close(), db.close()]);
    },
  };
}
