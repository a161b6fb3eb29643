import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../database.ts';
import type { Db } from '../db.ts';
import { withTimeout } from '../pool/deadline.ts';
import { createProbe, type Probe } from '../pool/probe.ts';
import type { Route } from '../pool/route.ts';
import type { TraceQuery } from '../trace.ts';
import { createFreshness, type OnReplicaChange } from './freshness.ts';

/** All in milliseconds. How often the replica is compared with the primary. */
const INTERVAL = 200;
/** For how long, after somebody wanted to read. */
const INTEREST = 10_000;
/** A replica that does not answer within this time is left, with all queries that are running on it. */
const ANSWER_TIMEOUT = 1_000;

/** A primary and its replicas share it, and nothing else has it. */
const database = `(select system_identifier from pg_control_system()) || ' ' ||
  (select oid from pg_database where datname = current_database())`;
/** Positions in PostgreSQL's log (WAL) are counted in bytes. */
const askPrimary = `select ${database} as database,
  case when not pg_is_in_recovery() then pg_current_wal_flush_lsn() - '0/0' end as position`;
const askReplica = `select ${database} as database,
  case when pg_is_in_recovery() then pg_last_wal_replay_lsn() - '0/0' end as position,
  current_setting('hot_standby_feedback') = 'on' as keeps_rows`;

interface Server {
  database: string;
  /** Null if it is no primary, or no standby. */
  position: string | null;
}

interface ReplicaOptions extends Pick<Route, 'isPooled' | 'preparedStatements'> {
  url: string;
  poolSize: number;
  trace: TraceQuery | undefined;
  /** Asks the primary. */
  primary: Probe;
  onChange: OnReplicaChange;
}

export type Replica = ReturnType<typeof createReplica>;

/** A streaming replica, for reads that may be a moment behind. It may be gone, frozen or far behind at any time. */
export function createReplica({ url, poolSize, primary, onChange, ...options }: ReplicaOptions) {
  const db = new Database(url, poolSize, { ...options, isReplica: true });
  const probe = createProbe(url, { takesStandby: true });
  const freshness = createFreshness(onChange);
  const closing = new AbortController();
  let askedAt = performance.now();
  let isComparing = false;
  let keepsRows = false;

  async function compare(): Promise<void> {
    const at = performance.now();
    const [there] = await primary.run<Server>(askPrimary).catch(() => []);
    // Without a primary nothing is known of the replica, and whoever reads will hear that the primary is gone.
    if (there === undefined || there.position === null) return;
    freshness.sample(at, BigInt(there.position));
    try {
      const [here] = await withTimeout(
        ANSWER_TIMEOUT,
        probe.run<Server & { keeps_rows: boolean }>(askReplica),
      );
      if (here?.database !== there.database) return freshness.refuse('It is a replica of another database.');
      if (here.position === null) return freshness.refuse('It is no standby.');
      keepsRows = here.keeps_rows;
      freshness.reached(BigInt(here.position));
    } catch (error) {
      if (closing.signal.aborted) return;
      db.terminateConnections();
      freshness.refuse(error instanceof Error ? error.message : String(error));
    }
  }

  async function keepComparing(): Promise<void> {
    if (isComparing) return;
    isComparing = true;
    while (!closing.signal.aborted && performance.now() - askedAt < INTEREST) {
      await compare();
      await sleep(INTERVAL, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
    }
    isComparing = false;
  }

  void keepComparing();

  return {
    db: db as Db,
    /** Whether the primary keeps the rows that a long query on the replica sees. If not, PostgreSQL may cancel the query. */
    keepsRows: () => keepsRows,
    /** Whether the replica has all that this client (uuid) knows of, and lags by less than a second. */
    isCurrentFor(client: string | null): boolean {
      askedAt = performance.now();
      void keepComparing();
      return freshness.isCurrentFor(client);
    },
    /** Whether it was current when somebody last wanted to read. */
    isUsed: freshness.isUsed,
    catchUpFor: freshness.catchUpFor,
    async close(): Promise<void> {
      closing.abort();
      await Promise.all([probe.close(), db.close()]);
    },
  };
}
