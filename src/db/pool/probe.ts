import { Connection } from './connection.ts';
import type { Primary } from './primary.ts';
import { askServer, type Server } from './server.ts';

/** All in milliseconds. */
const CONNECT_TIMEOUT = 1_000;
const ANSWER_TIMEOUT = 1_000;
/** How often it checks where the URL leads, even without a request. */
const INTERVAL = 5_000;
/** An answer is cached for this time, since anyone may request readiness. */
const MAX_AGE = 200;

export type Probe = ReturnType<typeof createProbe>;

/**
 * Opens a new connection to ask which server the URL leads to, so that `primary` notices a failover. It also shows whether
 * the database is ready. The pool can't: all of its connections may be waiting for a lock.
 */
export function createProbe(url: string, primary: Primary) {
  let answer: Promise<Server> | undefined;

  async function ask(): Promise<Server> {
    const connection = new Connection({
      connectionString: url,
      application_name: 'lead-pipeline-api probe',
      connectionTimeoutMillis: CONNECT_TIMEOUT,
      query_timeout: ANSWER_TIMEOUT,
    });
    try {
      await connection.connect();
      const server = await askServer(connection, ANSWER_TIMEOUT);
      primary.check(server, true);
      return server;
    } finally {
      void connection.end();
    }
  }

  /** The server that answers. Rejects if it is not the primary. */
  function server(): Promise<Server> {
    if (answer === undefined) {
      const forget = () => {
        answer = undefined;
      };
      answer = ask();
      // Don't cache a failure: the database may answer again at any moment.
      answer.then(() => setTimeout(forget, MAX_AGE).unref(), forget);
    }
    return answer;
  }

  const timer = setInterval(() => server().catch(() => undefined), INTERVAL).unref();
  return { server, close: () => clearInterval(timer) };
}
