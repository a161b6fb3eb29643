import type { QueryConfig } from 'pg';
import { Connection } from '../../src/db/pool/connection.ts';
import type { TestApp } from './app.ts';

export interface WatchedQueries {
  /** The SQL sent since the watch began, in order. */
  sent: string[];
  /** Runs `act` before the next query that contains this text. */
  before(text: string, act: () => Promise<unknown>): void;
}

/** Watches the queries that the service sends to the production database. */
export function watchQueries({ databases: [production] }: TestApp): WatchedQueries {
  const { pathname } = new URL(production?.url ?? '');
  const sent: string[] = [];
  const waiting: { text: string; act: () => Promise<unknown> }[] = [];
  const query = Connection.prototype.query as (...args: unknown[]) => unknown;
  function watch(this: Connection, ...args: unknown[]) {
    if (`/${this.database}` !== pathname) return query.apply(this, args);
    const [config] = args as [string | QueryConfig];
    const text = typeof config === 'string' ? config : config.text;
    sent.push(text);
    const index = waiting.findIndex((one) => text.includes(one.text));
    const [first] = index === -1 ? [] : waiting.splice(index, 1);
    return first === undefined ? query.apply(this, args) : first.act().then(() => query.apply(this, args));
  }
  Object.assign(Connection.prototype, { query: watch });
  return { sent, before: (text, act) => void waiting.push({ text, act }) };
}
