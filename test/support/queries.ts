import type { PoolClient, QueryConfig } from 'pg';
import { type Db, poolOf } from '../../src/db/knex.ts';

export interface WatchedQueries {
  /** The SQL of what was sent since the watch began, in order. */
  sent: string[];
  /** Does `act` before the next query that has this text is sent. */
  before(text: string, act: () => Promise<unknown>): void;
}

/** Watches what is sent to a database. */
export function watchQueries(db: Db): WatchedQueries {
  const sent: string[] = [];
  const waiting: { text: string; act: () => Promise<unknown> }[] = [];
  const watched = new WeakSet<PoolClient>();
  poolOf(db).on('acquire', (client) => {
    if (watched.has(client)) return;
    watched.add(client);
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const watch = (config: string | QueryConfig, ...rest: unknown[]) => {
      const text = typeof config === 'string' ? config : config.text;
      sent.push(text);
      const index = waiting.findIndex((one) => text.includes(one.text));
      const [first] = index === -1 ? [] : waiting.splice(index, 1);
      return first === undefined ? query(config, ...rest) : first.act().then(() => query(config, ...rest));
    };
    Object.assign(client, { query: watch });
  });
  return { sent, before: (text, act) => void waiting.push({ text, act }) };
}
