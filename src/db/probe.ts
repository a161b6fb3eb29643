import type { Environment } from '../environment.ts';
import { type Inspection, inspect } from './inspect.ts';
import { isCopy, labelFault } from './label.ts';
import { missingIn } from './migrate.ts';
import { findNames } from './migration-settings.ts';
import { Connection } from './pool/connection.ts';
import type { Primary } from './pool/primary.ts';

/** All in milliseconds. */
const CONNECT_TIMEOUT = 1_000;
const ANSWER_TIMEOUT = 1_000;
/** How often it checks where the URL leads, even without a request. */
const INTERVAL = 5_000;
/** An answer is cached for this time, since anyone may request readiness. */
const MAX_AGE = 200;

/** What is known about the database. */
export interface State extends Pick<Inspection, 'server'> {
  /** Why requests fail, as a sentence without its full stop. Undefined if they don't. */
  fault: string | undefined;
  isCopy: boolean;
}

interface ProbeOptions {
  url: string;
  /** Host, port and name of the database. */
  place: string;
  environment: Environment;
  primary: Primary;
  /** Called with the first state, and when it has changed. */
  onChange(state: State, before: State | undefined): void;
}

export type Probe = ReturnType<typeof createProbe>;

/**
 * Opens a new connection to ask which server the URL leads to, so that `primary` notices a failover, and whether the database
 * there is the right one, with all of its tables. The pool can't tell: all of its connections may be waiting for a lock.
 */
export function createProbe({ url, place, environment, primary, onChange }: ProbeOptions) {
  let answer: Promise<State> | undefined;
  let known: State | undefined;
  /** Read once: an upgrade may replace the files of a running process. */
  let migrations: Promise<string[]> | undefined;

  async function ask(): Promise<State> {
    const connection = new Connection({
      connectionString: url,
      application_name: 'lead-pipeline-api probe',
      connectionTimeoutMillis: CONNECT_TIMEOUT,
      query_timeout: ANSWER_TIMEOUT,
    });
    try {
      await connection.connect();
      const found = await inspect(connection, ANSWER_TIMEOUT);
      primary.check(found.server, true);
      migrations ??= findNames();
      const state = {
        server: found.server,
        fault: labelFault(found, environment, place) ?? schemaFault(found, await migrations),
        isCopy: isCopy(found),
      };
      const before = known;
      known = state;
      if (before?.fault !== state.fault || before?.isCopy !== state.isCopy) onChange(state, before);
      return state;
    } finally {
      void connection.end();
    }
  }

  /** The state of the database that answers. Rejects if it is not the primary. */
  function state(): Promise<State> {
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

  const timer = setInterval(() => state().catch(() => undefined), INTERVAL).unref();
  return {
    state,
    /** Undefined until the database has answered once. */
    known: () => known,
    /**
     * Whether the process may do what nobody asks for: send webhooks, run jobs, delete what has expired. Not in a copy, nor in
     * another environment's database. Asks again if connections lead elsewhere than the last time.
     */
    async mayWork(): Promise<boolean> {
      const current =
        known !== undefined && primary.isAt(known.server) ? known : await state().catch(() => undefined);
      return current !== undefined && current.fault === undefined && !current.isCopy;
    },
    close: () => clearInterval(timer),
  };
}

function schemaFault(found: Inspection, migrations: readonly string[]): string | undefined {
  const { hasTables, missingTables } = found;
  if (!hasTables) return 'It has no tables';
  const missing = missingIn(found, migrations);
  if (missing.length > 0) return `It lacks ${missing.length} migrations of this version`;
  return missingTables.length > 0 ? `It lacks the tables ${missingTables.join(', ')}` : undefined;
}
