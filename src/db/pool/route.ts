import { placeOf } from '../../config-values.ts';
import { type Placed, placed } from '../placed.ts';
import { Connection, StandbyError } from './connection.ts';
import { sessionTimeouts, timeoutNames } from './timeouts.ts';

/** How a database is reached. */
export interface Route {
  /** For queries and transactions. */
  url: string;
  /** For features that need a session, such as LISTEN. Undefined if the database is only reachable through a pooler. */
  directUrl: string | undefined;
  /** Whether `url` leads through a pooler, which may give each transaction another session. */
  isPooled: boolean;
  /** Whether statements may be named, so that PostgreSQL keeps their plans. */
  preparedStatements: boolean;
}

/** The route to a database that has no pooler. */
export function directRoute(url: string): Route {
  return { url, directUrl: url, isPooled: false, preparedStatements: true };
}

interface RouteOptions {
  /** Set if `url` leads through a pooler. */
  directUrl: string | undefined;
  /** Undefined: yes, unless there is a pooler, which may not support them. */
  preparedStatements: boolean | undefined;
  /** Whether a standby is an error. */
  needsPrimary?: boolean;
}

/** Milliseconds. Long, because a server may be starting. */
const TIMEOUT = 30_000;

/** Finds out whether there is a pooler, and if so, whether the service works behind it. Throws an Error that says what to do. */
export async function findRoute(url: string, options: RouteOptions): Promise<Route> {
  const found = await look(url, 'DATABASE_URL');
  if (found.isStandby && options.needsPrimary) throw new StandbyError();
  const isPooled = options.directUrl !== undefined || found.pid !== found.reportedPid;
  if (isPooled) checkTimeouts(found);
  if (options.directUrl !== undefined) {
    const direct = await look(options.directUrl, 'DATABASE_DIRECT_URL');
    if (direct.database !== found.database) {
      throw new Error(
        `DATABASE_DIRECT_URL or SANDBOX_DATABASE_DIRECT_URL leads to the database ${direct.name}. This is not ${found.name}, ` +
          'or is on another server. It must lead to the same database as the URL without DIRECT.',
      );
    }
    if (direct.pid !== direct.reportedPid) {
      throw new Error(
        'DATABASE_DIRECT_URL or SANDBOX_DATABASE_DIRECT_URL leads to a pooler: it must lead to PostgreSQL itself, since a ' +
          'pooler does not pass on notifications.',
      );
    }
  }
  return {
    url,
    directUrl: isPooled ? options.directUrl : url,
    isPooled,
    preparedStatements: options.preparedStatements ?? !isPooled,
  };
}

interface Look {
  /** pid of the server process, and the pid reported at login. A pooler reports a number of its own. */
  pid: number;
  reportedPid: number;
  isStandby: boolean;
  role: string;
  name: string;
  /** Identifies the database, whichever URL leads to it. */
  database: string;
  /** Milliseconds; 0 means none. */
  timeouts: Record<string, number>;
}

/** Asks the server behind a URL what it is. Rejects with an error that names the variable. */
export async function look(url: string, variable: Placed['variable']): Promise<Look> {
  const connection = new Connection({
    connectionString: url,
    application_name: 'lead-pipeline-api start',
    connectionTimeoutMillis: TIMEOUT,
    query_timeout: TIMEOUT,
  });
  try {
    await connection.connect();
    const { rows } = await connection.query<Omit<Look, 'reportedPid'>>(
      `select pg_backend_pid() as pid, pg_is_in_recovery() as "isStandby", quote_ident(current_user) as role, quote_ident(current_database()) as name,
         oid || ' ' || pg_postmaster_start_time() as database,
         (select json_object_agg(s.name, s.setting::int) from pg_settings s where s.name = any ($1)) as timeouts
       from pg_database where datname = current_database()`,
      [timeoutNames],
    );
    return { ...(rows[0] as Omit<Look, 'reportedPid'>), reportedPid: connection.processID };
  } catch (error) {
    throw placed(error, { place: placeOf(url), variable });
  } finally {
    void connection.end().catch(() => undefined);
  }
}

/** A pooler's sessions are shared, so the limits must be set on the role. */
function checkTimeouts({ role, timeouts }: Look): void {
  const isKept = (name: (typeof timeoutNames)[number]) => {
    const milliseconds = timeouts[name] ?? 0;
    return milliseconds > 0 && milliseconds <= sessionTimeouts[name];
  };
  const missing = timeoutNames.filter((name) => !isKept(name));
  if (missing.length === 0) return;
  const commands = missing.map(
    (name) => `ALTER ROLE ${role} SET ${name} = '${sessionTimeouts[name] / 1_000}s';`,
  );
  throw new Error(
    [
      "Behind a pooler, the service's time limits must be set on its role. Run these commands in PostgreSQL, and then make",
      'the pooler reconnect (in the console of PgBouncer: RECONNECT):',
      ...commands.map((command) => `  ${command}`),
    ].join('\n'),
  );
}
