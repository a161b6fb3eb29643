import pg from 'pg';
import { Connection } from './connection.ts';

/** Milliseconds. */
const HEARTBEAT_INTERVAL = 250;
/** Milliseconds for which a heartbeat proves that every notification has arrived. */
const HEARTBEAT_TTL = 1_000;
/** Milliseconds. */
const RECONNECT_DELAY = 500;

type OnMessage = (payload: string | undefined) => void;

export type Listener = ReturnType<typeof createListener>;

/**
 * Listens on any number of channels over one dedicated connection and keeps reconnecting.
 *
 * A dead network raises no error, so a query several times a second validates the connection: PostgreSQL delivers pending
 * notifications before it answers.
 */
export function createListener(url: string) {
  const subscribers = new Map<string, Set<OnMessage>>();
  let client: Connection | undefined;
  /** Channels that the connection listens on. */
  let listened = new Set<string>();
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
    connection.on('notification', ({ channel, payload }) => tell(channel, payload));
    client = connection;
    try {
      await connection.connect();
      await heartbeat(connection);
    } catch {
      reconnect(connection);
    }
  }

  /** One query after the other, on the channels that are new since the last heartbeat. */
  async function listenOnAll(connection: Connection): Promise<void> {
    const known = listened;
    for (const channel of subscribers.keys()) {
      if (known.has(channel)) continue;
      await connection.query(`listen ${pg.escapeIdentifier(channel)}`);
      known.add(channel);
      tell(channel, undefined);
    }
  }

  function tell(channel: string, payload: string | undefined): void {
    for (const onMessage of subscribers.get(channel) ?? []) onMessage(payload);
  }

  async function heartbeat(connection: Connection): Promise<void> {
    if (closed || client !== connection) return;
    const sentAt = performance.now();
    try {
      await listenOnAll(connection);
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
    listened = new Set();
    provenAt = Number.NEGATIVE_INFINITY;
    clearTimeout(timer);
    timer = setTimeout(() => void connect(), RECONNECT_DELAY);
    void connection.end().catch(() => undefined);
  }

  void connect();

  return {
    /**
     * Calls `onMessage` for each notification of the channel. Earlier ones, and those sent while the connection is down, are
     * lost, so it is also called, without a payload, as soon as the channel is listened to, and after each reconnect.
     * Returns the function that ends this.
     */
    on(channel: string, onMessage: OnMessage): () => void {
      const all = subscribers.get(channel) ?? new Set();
      subscribers.set(channel, all.add(onMessage));
      if (listened.has(channel)) queueMicrotask(() => onMessage(undefined));
      return () => void all.delete(onMessage);
    },
    /** True if every notification committed more than a second ago is known to have arrived. */
    isLive: () => performance.now() - provenAt < HEARTBEAT_TTL,
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}
