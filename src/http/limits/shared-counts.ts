import type { ClientRateLimitInfo, Options, Store } from 'express-rate-limit';
import type { Logger } from 'pino';
import { Deadline } from '../../values/deadline.ts';
import { MemoryCounts } from './memory-counts.ts';

/** Maximum wait of a request for Redis. Milliseconds. */
const COMMAND_TIMEOUT = 100;
/** Maximum time to open a connection. Milliseconds. */
const CONNECT_TIMEOUT = 1_000;
/** Milliseconds between attempts to reach Redis. */
const RETRY_INTERVAL = 1_000;
const PREFIX = 'lead-pipeline-api';

/** Creates the store of one counter, whose name is part of its keys. */
export type CreateStore = (name: string) => Store;

export interface SharedCounts {
  createStore: CreateStore;
  /** Call this once all stores are created. Resolves after the first attempt to reach Redis, whether or not it answers. */
  connect(): Promise<void>;
  close(): void;
}

/**
 * Counts that all processes share, in Redis. While Redis does not answer, this process counts in its memory, and no request
 * waits for Redis. A connection that fails once is replaced, since a hung one can't be told from a slow one.
 */
export async function createSharedCounts(url: string, logger: Logger): Promise<SharedCounts> {
  const [{ createClient }, { RedisStore }] = await Promise.all([
    import('@redis/client'),
    import('rate-limit-redis'),
  ]);
  const open = () =>
    createClient({
      url,
      RESP: 2,
      disableClientInfo: true,
      disableOfflineQueue: true,
      socket: { reconnectStrategy: false, connectTimeout: CONNECT_TIMEOUT },
    });
  type Client = ReturnType<typeof open>;

  const stores: { load(): Promise<void> }[] = [];
  /** The latest connection. */
  let client: Client | undefined;
  let isUp = false;
  let isReported = false;
  let timer: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const opened = open();
    client = opened;
    opened.on('error', (error) => fail(opened, error));
    try {
      await new Deadline(CONNECT_TIMEOUT).race(opened.connect());
      await new Deadline(CONNECT_TIMEOUT).race(Promise.all(stores.map((store) => store.load())));
      // Redis may be full, read-only or slow, which loading a script does not show.
      await new Deadline(COMMAND_TIMEOUT).race(
        opened.sendCommand(['SET', `${PREFIX}:probe`, '1', 'PX', '1000']),
      );
    } catch (error) {
      return fail(opened, error);
    }
    if (client !== opened) return;
    isUp = true;
    if (isReported) logger.info('Rate limits are shared again: Redis answers.');
    isReported = false;
  }

  /** Drops the connection. Its pending commands fail too, so that no other request waits for them. */
  function fail(failed: Client | undefined, error: unknown): void {
    if (failed === undefined || client !== failed) return;
    client = undefined;
    isUp = false;
    timer = setTimeout(() => void connect(), RETRY_INTERVAL).unref();
    failed.destroy();
    if (!isReported) logger.warn({ err: error }, 'Rate limits are counted in memory: Redis does not answer.');
    isReported = true;
  }

  function createStore(name: string): Store {
    const memory = new MemoryCounts();
    const redis = new RedisStore({
      prefix: `${PREFIX}:${name}:`,
      sendCommand: (...command) => {
        if (client === undefined) throw new Error('There is no connection to Redis.');
        return client.sendCommand(command);
      },
    });
    let options = {} as Options;
    stores.push({ load: () => redis.init(options) });

    async function run<Result>(count: (store: Store) => Promise<Result>): Promise<Result> {
      const current = client;
      if (!isUp) return count(memory);
      try {
        return await new Deadline(COMMAND_TIMEOUT).race(count(redis));
      } catch (error) {
        fail(current, error);
        return count(memory);
      }
    }

    return {
      init(given) {
        options = given;
        memory.init(given);
      },
      increment: (key) => run(async (store) => store.increment(key)),
      decrement: (key) => run(async (store) => store.decrement(key)),
      resetKey: (key) => run(async (store) => store.resetKey(key)),
      get: (key) => run<ClientRateLimitInfo | undefined>(async (store) => store.get?.(key)),
    };
  }

  return {
    createStore,
    connect,
    close() {
      clearTimeout(timer);
      const last = client;
      client = undefined;
      isUp = false;
      last?.destroy();
    },
  };
}
