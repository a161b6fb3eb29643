import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Connection } from './connection.ts';
import { askServer, type Server } from './server.ts';

/** All in milliseconds. */
const HEARTBEAT_INTERVAL = 400;
/** A heartbeat proves for this time that every notification has arrived. */
const HEARTBEAT_TTL = 1_000;
/** A connection that does not answer within this time is replaced. A busy server may need a while. */
const ANSWER_TIMEOUT = 2_000;
const CONNECT_TIMEOUT = 1_000;
const RECONNECT_DELAY = 500;

type OnMessage = (payload: string | undefined) => void;

interface ListenerOptions {
  /** Leads to PostgreSQL itself, not to a pooler. Undefined if there is only a pooler, so that nothing is received. */
  url: string | undefined;
  /** Throws if queries reach a different server, because notifications are sent there. */
  check(server: Server, isNew: boolean): void | Promise<void>;
}

export type Listener = ReturnType<typeof createListener>;

/**
 * Listens on any number of channels over one dedicated connection, and reconnects when it is lost.
 *
 * A dead network raises no error, and a former primary continues to answer. So twice a second, a heartbeat asks over this
 * connection which server it leads to. PostgreSQL sends all earlier notifications before the answer.
 */
export function createListener({ url, check }: ListenerOptions) {
  const subscribers = new Map<string, Set<OnMessage>>();
  const closing = new AbortController();
  /** Undefined while there is no connection. */
  let heartbeat: (() => Promise<void>) | undefined;
  /** Channels that the connection listens on. */
  let listened = new Set<string>();
  let provenAt = Number.NEGATIVE_INFINITY;

  async function keepListening(connectionString: string): Promise<void> {
    while (!closing.signal.aborted) {
      await listenUntilLost(connectionString).catch(() => undefined);
      await pause(RECONNECT_DELAY);
    }
  }

  async function listenUntilLost(connectionString: string): Promise<void> {
    const connection = new Connection({
      connectionString,
      application_name: 'lead-pipeline-api listener',
      connectionTimeoutMillis: CONNECT_TIMEOUT,
      query_timeout: ANSWER_TIMEOUT,
    });
    connection.on('notification', ({ channel, payload }) => notify(channel, payload));
    connection.on('end', unproven);
    try {
      await connection.connect();
      await check(await askServer(connection, ANSWER_TIMEOUT), true);
      heartbeat = shared(() => beat(connection));
      while (!closing.signal.aborted) {
        await heartbeat();
        await pause(HEARTBEAT_INTERVAL);
      }
    } finally {
      heartbeat = undefined;
      listened = new Set();
      unproven();
      void connection.end();
    }
  }

  function unproven(): void {
    provenAt = Number.NEGATIVE_INFINITY;
  }

  async function beat(connection: Connection): Promise<void> {
    const sentAt = performance.now();
    for (const channel of subscribers.keys()) {
      if (listened.has(channel)) continue;
      await connection.query(`listen ${pg.escapeIdentifier(channel)}`);
      listened.add(channel);
      notify(channel, undefined);
    }
    await check(await askServer(connection, ANSWER_TIMEOUT), false);
    provenAt = sentAt;
  }

  function notify(channel: string, payload: string | undefined): void {
    for (const onMessage of subscribers.get(channel) ?? []) onMessage(payload);
  }

  async function pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: closing.signal }).catch(() => undefined);
  }

  if (url !== undefined) void keepListening(url);

  return {
    /**
     * Calls `onMessage` for each notification of the channel. Earlier ones, and those sent while the connection is down, are
     * lost. So it is also called, without a payload, as soon as the connection listens, and after each reconnect. Returns
     * the function that unsubscribes.
     */
    on(channel: string, onMessage: OnMessage): () => void {
      const all = subscribers.get(channel) ?? new Set();
      subscribers.set(channel, all.add(onMessage));
      if (listened.has(channel)) queueMicrotask(() => onMessage(undefined));
      return () => void all.delete(onMessage);
    },
    /** True if every notification committed more than a second ago is known to have arrived. */
    isLive: () => performance.now() - provenAt < HEARTBEAT_TTL,
    /**
     * Resolves with whether every notification that was committed a second before this call has arrived. Waits for a server
     * that is too busy for its heartbeats. However many callers wait, the server is asked once.
     */
    async catchUp(): Promise<boolean> {
      const since = performance.now() - HEARTBEAT_TTL;
      // A heartbeat that is already running may have started too early.
      for (let round = 0; round < 2 && provenAt < since; round += 1) {
        try {
          await heartbeat?.();
        } catch {
          return false;
        }
      }
      return provenAt >= since;
    },
    close: () => closing.abort(),
  };
}

/** Runs the task only once at a time. Calls during a run share its result. */
function shared(task: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= task().finally(() => {
      running = undefined;
    });
    return running;
  };
}
