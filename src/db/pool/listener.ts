import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { Connection } from './connection.ts';
import { withTimeout } from './deadline.ts';
import type { Primary } from './primary.ts';
import { askServer } from './server.ts';

/** All in milliseconds. */
const HEARTBEAT_INTERVAL = 400;
/** For so long a heartbeat proves that every notification has arrived. */
const HEARTBEAT_TTL = 1_000;
/** A connection that gives no answer for so long is given up. A busy server may take its time. */
const ANSWER_TIMEOUT = 2_000;
const CONNECT_TIMEOUT = 1_000;
/** Through a pooler: for how long the proof is kept up after somebody asked for it. */
const INTEREST = 10_000;
/** Heartbeats in a row that were sent but not heard, after which they are sent rarely. */
const MAX_UNHEARD = 3;
const DEAF_INTERVAL = 10_000;
const RECONNECT_DELAY = 500;

type OnMessage = (payload: string | undefined) => void;

interface ListenerOptions {
  /** A session of PostgreSQL, not one that a pooler lends. */
  url: string;
  /** What is known of the primary. Undefined if all else goes through a pooler, which need not lead to the same server. */
  primary: Primary | undefined;
  /** Runs SQL over another connection, as those who notify do. */
  send(sql: string): Promise<unknown>;
  /** Called when notifications are sent but don't arrive, although both connections work. */
  onDeaf?(): void;
}

export type Listener = ReturnType<typeof createListener>;

/**
 * Listens on any number of channels over one dedicated connection and keeps reconnecting.
 *
 * A dead network raises no error, and a former primary goes on answering. So a heartbeat twice a second asks the server over
 * the listening connection itself which server it is: PostgreSQL sends all earlier notifications before its answer. Behind
 * a pooler another session may listen, or the pooler may lead to another server. There, a heartbeat notifies a channel of
 * this listener's own through the pooler, and waits to hear it.
 */
export function createListener({ url, primary, send, onDeaf = () => undefined }: ListenerOptions) {
  const subscribers = new Map<string, Set<OnMessage>>();
  const ownChannel = `heartbeat_${randomUUID()}`;
  let client: Connection | undefined;
  /** Whether it is connected, to the primary. */
  let isConnected = false;
  /** Channels that the connection listens on. */
  let listened = new Set<string>();
  let provenAt = Number.NEGATIVE_INFINITY;
  let askedAt = performance.now();
  let beats = 0;
  let unheard = 0;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let proving: Promise<void> | undefined;

  async function connect(): Promise<void> {
    const connection = new Connection({
      connectionString: url,
      application_name: 'lead-pipeline-api listener',
      connectionTimeoutMillis: CONNECT_TIMEOUT,
      query_timeout: ANSWER_TIMEOUT,
      keepAlive: true,
    });
    connection.on('error', () => reconnect(connection));
    connection.on('end', () => reconnect(connection));
    connection.on('notification', ({ channel, payload }) => tell(channel, payload));
    client = connection;
    try {
      await connection.connect();
      if (primary === undefined) await connection.query(`listen ${pg.escapeIdentifier(ownChannel)}`);
      else primary.check(await askServer(connection, ANSWER_TIMEOUT), true);
      isConnected = client === connection;
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
    await prove(connection);
    if (client !== connection) return;
    // The pooler may lead to another server by now, so that this connection is of no use.
    if (unheard >= MAX_UNHEARD) timer = setTimeout(() => reconnect(connection), DEAF_INTERVAL);
    else timer = setTimeout(() => void heartbeat(connection), HEARTBEAT_INTERVAL);
  }

  /** One round at a time, whoever asks for it. */
  function prove(connection: Connection): Promise<void> {
    proving ??= runRound(connection).finally(() => {
      proving = undefined;
    });
    return proving;
  }

  async function runRound(connection: Connection): Promise<void> {
    const sentAt = performance.now();
    try {
      await listenOnAll(connection);
      // No notification while nobody asks: each one writes to PostgreSQL's log (WAL).
      if (primary === undefined && sentAt - askedAt >= INTEREST) await connection.query('select 1');
      else if (await isCurrent(connection)) provenAt = client === connection ? sentAt : provenAt;
    } catch {
      reconnect(connection);
    }
  }

  /** Whether the connection has had every notification that was sent before this call. Rejects if it is dead. */
  async function isCurrent(connection: Connection): Promise<boolean> {
    if (primary === undefined) return hears(connection);
    primary.check(await askServer(connection, ANSWER_TIMEOUT));
    return true;
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
    isConnected = false;
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
    isLive(): boolean {
      askedAt = performance.now();
      return askedAt - provenAt < HEARTBEAT_TTL;
    },
    /**
     * Resolves with whether every notification that was committed a second before this call has arrived. A server that is too
     * busy for its heartbeats is waited for; not through a pooler. However many wait, it is asked once.
     */
    async catchUp(): Promise<boolean> {
      askedAt = performance.now();
      const since = askedAt - HEARTBEAT_TTL;
      // The round that is under way may have begun too early.
      for (let round = 0; round < 2 && provenAt < since; round += 1) {
        if (client === undefined || !isConnected || primary === undefined) return false;
        await prove(client);
      }
      return provenAt >= since;
    },
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}
