import type pg from 'pg';

/** The server behind a connection, and how far it is. Only the connection itself can tell: another may lead elsewhere. */
export interface Server {
  /** A primary and its replicas share these two, and nothing else has them. */
  cluster: string;
  database: string;
  /** Grows by one with each failover. Of a standby, that of the last restart point. */
  timeline: number;
  isStandby: boolean;
  /** Bytes of the log (WAL) that are on the primary's disk, or that a standby has replayed. */
  position: string;
  address: string;
  /** Together with the address, it tells a server from all others. */
  startedAt: string;
  /** Whether the primary keeps the rows that a long query on this standby sees. If not, PostgreSQL may cancel the query. */
  keepsRows: boolean;
}

const serverColumns = `
  (select system_identifier::text from pg_control_system()) as cluster,
  (select oid::text from pg_database where datname = current_database()) as database,
  case when pg_is_in_recovery()
    then (select greatest(timeline_id, min_recovery_end_timeline) from pg_control_checkpoint(), pg_control_recovery())
    else ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int
  end as timeline,
  pg_is_in_recovery() as "isStandby",
  (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end - '0/0')::text
    as position,
  coalesce(host(inet_server_addr()) || ':' || inet_server_port(), 'Unix socket') as address,
  pg_postmaster_start_time()::text as "startedAt",
  current_setting('hot_standby_feedback') = 'on' as "keepsRows"`;

/** Columns of a server that hides its log, as some managed ones do. All of them look like one. */
const fewColumns = `
  '' as cluster, '' as database, 0 as timeline, pg_is_in_recovery() as "isStandby", '0' as position, '' as address,
  pg_postmaster_start_time()::text as "startedAt", false as "keepsRows"`;

/** A missing right, a missing function, or one that the server does not support. */
const HIDDEN = /^(42|0A)/;

/** Asks for the server behind the connection, and runs `also`, an expression. Fails after so many milliseconds. */
export async function askServer(connection: pg.ClientBase, timeout: number, also = 'null'): Promise<Server> {
  const ask = async (columns: string) => {
    const text = `select ${columns}, ${also} as also`;
    const { rows } = await connection.query<Server>({ text, query_timeout: timeout } as pg.QueryConfig);
    return rows[0] as Server;
  };
  try {
    return await ask(serverColumns);
  } catch (error) {
    const { code = '' } = error as { code?: string };
    if (!HIDDEN.test(code)) throw error;
    return ask(fewColumns);
  }
}

export function isSameServer(one: Server, other: Server): boolean {
  return one.address === other.address && one.startedAt === other.startedAt;
}
