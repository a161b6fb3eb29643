import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../database.ts';
import type { Db } from '../db.ts';
import type { Probe } from '../pool/probe.ts';
import { type Prove, StaleReplicaError } from '../pool/prove.ts';
import type { Route } from '../pool/route.ts';
import { askServer, isSameServer, type Server } from '../pool/server.ts';
import type { TraceQuery } from '../trace.ts';
import { createFreshness, UNKNOWN } from './freshness.ts';

/** All in milliseconds. How often the position of the primary is noted. */
const INTERVAL = 200;
/** For how long, after somebody wanted to read. */
const INTEREST = 10_000;
/** A server that does not say within this time how far it is, is not read. */
const ANSWER_TIMEOUT = 1_000;
/** For how long a replica that could not be reached is left alone. */
const REST = 5_000;
/** Servers whose state is remembered. A name or a balancer may lead to several. */
const MAX_SERVERS = 100;

/** Told when a server begins to be used, and with the reason when it no longer is. */
export type OnReplicaChange = (isUsed: boolean, about: { server?: string; reason?: string }) => void;

interface ReplicaOptions extends Pick<Route, 'isPooled' | 'preparedStatements'> {
  url: string;
  poolSize: number;
  trace: TraceQuery | undefined;
  /** Asks the primary. */
  primary: Probe;
  onChange: OnReplicaChange;
}

export type Replica = ReturnType<typeof createReplica>;

/**
 * Streaming replicas, for reads that may be a moment behind. Any of them may be gone, frozen or far behind at any time, and
 * each connection may lead to another one: so each transaction asks its own server how far it is.
 */
export function createReplica({ url, poolSize, primary, onChange, ...options }: ReplicaOptions) {
  const freshness = createFreshness();
  const closing = new AbortController();
  /** Why each server was left the last time; undefined if it is used. By address. */
  const told = new Map<string, string | undefined>();
  /** Whether it is told that no server can be reached. */
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
      // Then nothing is known of the replicas, and whoever reads will hear that the primary is gone.
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
    const isKnown = told.has(address);
    const wasUsed = isKnown && told.get(address) === undefined;
    const reason = freshness.faultOf(server, wasUsed);
    if (reason === UNKNOWN) throw new StaleReplicaError(reason);
    isUsed = reason === undefined;
    if (told.size > MAX_SERVERS) told.clear();
    told.set(address, reason);
    if (reason !== undefined) {
      if (!isKnown || wasUsed) onChange(false, { server: address, reason });
      throw new StaleReplicaError(reason);
    }
    if (!wasUsed || isUnreachable) onChange(true, { server: address });
    isUnreachable = false;
  }

  /**
   * A pooler may give the transaction to another server than the question before it. The question comes first, since the
   * transaction's snapshot must not be older than the answer.
   */
  const proveWith =
    (needsRows: boolean): Prove =>
    (connection) => {
      askedAt = performance.now();
      void keepSampling();
      const known = freshness.isKnown() ? undefined : sample();
      const before = askServer(connection, ANSWER_TIMEOUT);
      before.catch(() => undefined);
      return async () => {
        const [asked, server] = await Promise.all([before, askServer(connection, ANSWER_TIMEOUT), known]);
        if (!isSameServer(asked, server)) throw new StaleReplicaError('The pooler has changed the server.');
        check(asked);
        if (needsRows && !asked.keepsRows) throw new StaleReplicaError('hot_standby_feedback is off.');
      };
    };

  const prove = proveWith(false);
  const db = new Database(url, poolSize, { ...options, prove });

  return {
    db: db as Db,
    /** How exports read. */
    source: { url, prove: proveWith(true), onFailure: failed },
    /** Whether it makes sense to try it. */
    isWorking: () => performance.now() - failedAt > REST,
    /** Whether the last read was from a replica. */
    isUsed: () => isUsed,
    failed,
    async close(): Promise<void> {
      closing.abort();
      await db.close();
    },
  };

  /** A read has failed with this error. */
  function failed(error: unknown): void {
    if (error instanceof StaleReplicaError || isConflict(error)) return;
    failedAt = performance.now();
    isUsed = false;
    const reason = error instanceof Error ? error.message : String(error);
    if (!isUnreachable) onChange(false, { reason });
    isUnreachable = true;
  }
}

/** PostgreSQL has canceled the query, because it conflicts with what the replica replays. */
function isConflict(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^(40|57014)/.test(code);
}
