import pg from 'pg';
import { Connection } from './connection.ts';

/** Milliseconds. */
const HEARTBEAT_INTERVAL = 250;
/** Milliseconds for which a heartbeat proves that every notification has arrived. */
const HEARTBEAT_TTL = 1_000;
/** Milliseconds. */
const RECONNECT_DELAY = 500;

/**
 * Listens on a channel over a dedicated connection and keeps reconnecting. Notifications sent while it is down are lost,
 * so `onMessage` is also called, without a payload, after each connect.
 *
 * A dead network raises no error, so a query several times a second validates the connection: PostgreSQL delivers pending
 * notifications before it answers.
 */
export function listen(url: string, channel: string, onMessage: (payload: string | undefined) => void) {
  let client: Connection | undefined;
  let provenAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  async function connect(): Promise<void> {
    const connection = new Connection({
      connectionString: url,
      application_name: 'lead-pipeline-api listener',
      connectionTimeoutMillis: HEARTBEAT_TTL,
      query_timeout: HEARTBEAT_TTL,
      keepAlive: true,
    });
    connection.on('error', () => reconnect(connection));
    connection.on('end', () => reconnect(connection));
    connection.on('notification', ({ payload }) => onMessage(payload));
    client = connection;
    try {
      await connection.connect();
      await connection.query(`listen ${pg.escapeIdentifier(channel)}`);
      onMessage(undefined);
      await heartbeat(connection);
    } catch {
      reconnect(connection);
    }
  }

  async function heartbeat(connection: Connection): Promise<void> {
    if (closed || client !== connection) return;
    const sentAt = performance.now();
    try {
      await connection.query('select 1');
    } catch {
      return reconnect(connection);
    }
    provenAt = sentAt;
    timer = setTimeout(() => void heartbeat(connection), HEARTBEAT_INTERVAL);
  }

  function reconnect(connection: Connection): void {
    if (closed || client !== connection) return;
    client = undefined;
    provenAt = Number.NEGATIVE_INFINITY;
    clearTimeout(timer);
    timer = setTimeout(() => void connect(), RECONNECT_DELAY);
    void connection.end().catch(() => undefined);
  }

  void connect();

  return {
    /** True if every notification committed more than a second ago is known to have arrived. */
    isLive: () => performance.now() - provenAt < HEARTBEAT_TTL,
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}
