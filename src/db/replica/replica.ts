import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../database.ts';
import type { Db } from '../db.ts';
import { type Prove, StaleReplicaError } from '../pool/prove.ts';
import type { Route } from '../pool/route.ts';
import { askServer, type Server } from '../pool/server.ts';
import type { TraceQuery } from '../trace.ts';
import { createFreshness, UNKNOWN } from './freshness.ts';

/** All in milliseconds. How often the primary's position is recorded. */
const INTERVAL = 200;
/** How long it is recorded after the last read. */
const INTEREST = 10_000;
/** A server that does not report its position within this time is not read. */
const ANSWER_TIMEOUT = 1_000;
/** How long an unreachable replica is left alone. */
const REST = 5_000;
/** Maximum servers to remember. A name or a load balancer may lead to several. */
const MAX_SERVERS = 100;

/** Called when a server is used for the first time, and with the reason when it is no longer used. */
export type OnReplicaChange = (isUsed: boolean, about: { server?: string; reason?: string }) => void;

interface ReplicaOptions extends Pick<Route, 'isPooled' | 'preparedStatements'> {
  url: string;
  poolSize: number;
  trace: TraceQuery | undefined;
  primary: Pick<Database, 'server'>;
  onChange: OnReplicaChange;
}

export type Replica = ReturnType<typeof createReplica>;

/**
 * Streaming replicas, for reads that may be slightly stale. A replica can fail, freeze or lag at any time, and each
 * connection may lead to another one. So each transaction first asks its own server for its position.
 */
export function createReplica({ url, poolSize, primary, onChange, ...options }: ReplicaOptions) {
  const freshness = createFreshness();
  const closing = new AbortController();
  /** By address: why the server is not used, as last reported. Undefined if it is used. */
  const reported = new Map<string, string | undefined>();
  let isUnreachable = false;
  let failedAt = Number.NEGATIVE_INFINITY;
  let isUsed = false;
  let askedAt = performance.now();
  let sampling: Promise<void> | undefined;
  let isKeptUp = false;

  function sample(): Promise<void> {
    const at = performance.now();
    sampling ??= primary
      .server()
      .then((server) => freshness.sample(at, server))
      // Replicas can't be compared now. Readers fall back to the primary, and get the error there.
      .catch(() => undefined)
      .finally(() => {
        sampling = undefined;
      });
    return sampling;
  }

  async function keepSampling(): Promise<void> {
    if (isKeptUp) return;
    isKeptUp = true;
    while (!closing.signal.aborted && performance.now() - askedAt < INTEREST) {
      await sample();
      await sleep(INTERVAL, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
    }
    isKeptUp = false;
  }

  function check(server: Server): void {
    const { address } = server;
    const isKnown = reported.has(address);
    const wasUsed = isKnown && reported.get(address) === undefined;
    const reason = freshness.faultOf(server, wasUsed);
    if (reason === UNKNOWN) throw new StaleReplicaError(reason);
    isUsed = reason === undefined;
    if (reported.size > MAX_SERVERS) reported.clear();
    reported.set(address, reason);
    if (reason !== undefined) {
      if (!isKnown || wasUsed) onChange(false, { server: address, reason });
      throw new StaleReplicaError(reason);
    }
    if (!wasUsed || isUnreachable) onChange(true, { server: address });
    isUnreachable = false;
  }

  const proveWith =
    (needsRows: boolean): Prove =>
    async (connection) => {
      askedAt = performance.now();
      void keepSampling();
      const known = freshness.isKnown() ? undefined : sample();
      const [server] = await Promise.all([askServer(connection, ANSWER_TIMEOUT), known]);
      check(server);
      if (needsRows && !server.keepsRows) throw new StaleReplicaError('hot_standby_feedback is off.');
    };

  const db = new Database(url, poolSize, { ...options, prove: proveWith(false) });

  return {
    db: db as Db,
    /** How exports read. */
    source: { url, prove: proveWith(true), onFailure: failed },
    /** Whether a replica is worth trying. */
    isWorking: () => performance.now() - failedAt > REST,
    /** Whether the last read was from a replica. */
    isUsed: () => isUsed,
    failed,
    async close(): Promise<void> {
      closing.abort();
      await db.close();
    },
  };

  /** A read failed with this error. */
  function failed(error: unknown): void {
    if (error instanceof StaleReplicaError || isConflict(error)) return;
    failedAt = performance.now();
    isUsed = false;
    const reason = error instanceof Error ? error.message : String(error);
    if (!isUnreachable) onChange(false, { reason });
    isUnreachable = true;
  }
}

/** PostgreSQL canceled the query because it conflicts with the WAL being replayed. */
function isConflict(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^(40|57014)/.test(code);
}
