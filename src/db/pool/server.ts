/** The server behind a connection, and its position. Ask over the same connection, since another may lead elsewhere. */
export interface Server {
  /** A primary and its replicas share these two, and nothing else has them. */
  cluster: string;
  database: string;
  /** Grows by one with each failover. A standby reports that of its last restart point. */
  timeline: number;
  isStandby: boolean;
  /** Bytes of the log (WAL) that are on the primary's disk, or that a standby has replayed. */
  position: string;
  address: string;
  /** Together with the cluster, it identifies a server. Seconds since 1970. */
  startedAt: string;
  /** Whether the primary keeps the rows that a long query on this standby sees. If not, PostgreSQL may cancel the query. */
  keepsRows: boolean;
  /** PostgreSQL's major version. */
  version: number;
}

/** A connection, as far as a question to its server needs it. */
export interface Asker {
  query(query: { text: string; query_timeout: number }): PromiseLike<{ rows: object[] }>;
}

const databaseColumn = '(select oid::text from pg_database where datname = current_database()) as database';
const versionColumn = `current_setting('server_version_num')::int / 10000 as version`;

const serverColumns = `
  (select system_identifier::text from pg_control_system()) as cluster,
  ${databaseColumn},
  case when pg_is_in_recovery()
    then (select greatest(timeline_id, min_recovery_end_timeline) from pg_control_checkpoint(), pg_control_recovery())
    else ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int
  end as timeline,
  pg_is_in_recovery() as "isStandby",
  (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end - '0/0')::text
    as position,
  coalesce(host(inet_server_addr()) || ':' || inet_server_port(), 'Unix socket') as address,
  extract(epoch from pg_postmaster_start_time())::text as "startedAt",
  current_setting('hot_standby_feedback') = 'on' as "keepsRows", ${versionColumn}`;

/** Columns for a server that hides its log, as some managed ones do. Such servers all look alike, apart from the database's oid. */
const fewColumns = `
  '' as cluster, ${databaseColumn}, 0 as timeline, pg_is_in_recovery() as "isStandby", '0' as position, '' as address,
  extract(epoch from pg_postmaster_start_time())::text as "startedAt", false as "keepsRows",
  ${versionColumn}`;

/** A missing privilege, or a function that is missing or not supported. */
const HIDDEN = /^(42|0A)/;

/** Asks which server is behind the connection. Fails after `timeout` milliseconds. */
export async function askServer(connection: Asker, timeout: number): Promise<Server> {
  const ask = async (columns: string) => {
    const query = { text: `select ${columns}`, query_timeout: timeout };
    const { rows } = await connection.query(query);
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

/** Throws if these are two different servers. Ignores their addresses: a server has one in each of its networks. */
export function checkSame(one: Server, other: Server): void {
  if (one.cluster !== other.cluster || one.startedAt !== other.startedAt)
    throw new Error('The pooler leads to another server.');
}
