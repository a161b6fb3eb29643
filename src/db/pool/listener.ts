import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { Connection } from './connection.ts';
import { withTimeout } from './deadline.ts';

/** Milliseconds. */
const HEARTBEAT_INTERVAL = 400;
/** Milliseconds for which a heartbeat proves that every notification has arrived. */
const HEARTBEAT_TTL = 1_000;
/** Milliseconds for which the proof is kept up after somebody asked for it. */
const INTEREST = 10_000;
/** Heartbeats in a row that were sent but not heard, after which they are sent rarely. */
const MAX_UNHEARD = 3;
/** Milliseconds. */
const DEAF_INTERVAL = 10_000;
/** Milliseconds. */
const RECONNECT_DELAY = 500;

type OnMessage = (payload: string | undefined) => void;

interface ListenerOptions {
  /** A session of PostgreSQL, not one that a pooler lends. */
  url: string;
  /** Runs SQL over another connection. */
  send(sql: string): Promise<unknown>;
  /** Called when notifications are sent but don't arrive, although both connections work. */
  onDeaf?(): void;
}

export type Listener = ReturnType<typeof createListener>;

/**
 * Listens on any number of channels over one dedicated connection and keeps reconnecting.
 *
 * A dead network raises no error, and behind a pooler another session may listen. So a heartbeat twice a second
 * notifies a channel of this listener's own and waits to hear it: by then, all earlier notifications have arrived.
 */
export function createListener({ url, send, onDeaf = () => undefined }: ListenerOptions) {
  const subscribers = new Map<string, Set<OnMessage>>();
  const ownChannel = `heartbeat_${randomUUID()}`;
  let client: Connection | undefined;
  /** Channels that the connection listens on. */
  let listened = new Set<string>();
  let provenAt = Number.NEGATIVE_INFINITY;
  let askedAt = performance.now();
  let beats = 0;
  let unheard = 0;
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
      await connection.query(`listen ${pg.escapeIdentifier(ownChannel)}`);
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
      // Without a notification while nobody asks: each one writes to PostgreSQL's log (WAL).
      if (sentAt - askedAt < INTEREST && (await hears(connection))) provenAt = sentAt;
      else await connection.query('select 1');
    } catch {
      return reconnect(connection);
    }
    const isDeaf = unheard >= MAX_UNHEARD;
    timer = setTimeout(() => void heartbeat(connection), isDeaf ? DEAF_INTERVAL : HEARTBEAT_INTERVAL);
  }

  /** Whether a notification that was sent over another connection arrives here in time. */
  async function hears(connection: Connection): Promise<boolean> {
    beats += 1;
    const beat = String(beats);
    const { promise: heard, resolve } = Promise.withResolvers<void>();
    const listen = ({ channel, payload }: pg.Notification) => {
      if (channel === ownChannel && payload === beat) resolve();
    };
    connection.on('notification', listen);
    let isSent = false;
    try {
      // It need not survive a crash, so its commit does not wait for the disk.
      await send(`set local synchronous_commit = off; notify ${pg.escapeIdentifier(ownChannel)}, '${beat}'`);
      isSent = true;
      await withTimeout(HEARTBEAT_TTL, heard);
      unheard = 0;
      return true;
    } catch {
      if (isSent) unheard += 1;
      if (isSent && unheard === MAX_UNHEARD && client === connection) onDeaf();
      return false;
    } finally {
      connection.off('notification', listen);
    }
  }

  function reconnect(connection: Connection): void {
    if (closed || client !== connection) return;
    client = undefined;
    listened = new Set();
    unheard = 0;
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
    isLive(): boolean {
      askedAt = performance.now();
      return askedAt - provenAt < HEARTBEAT_TTL;
    },
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}
