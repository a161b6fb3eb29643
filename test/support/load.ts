/** Clients that send requests one after another, and the result of each. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { uniqueEmail } from './factories.ts';
import { call } from './process.ts';

interface Answered {
  what: string;
  /** When it was sent (performance.now()). */
  at: number;
  ms: number;
  status: number;
  retryAfter: string | null;
  /** Ids of the created leads. */
  id?: string;
}

interface Load {
  answers: Answered[];
  /** Resolves when enough later requests of each kind are answered. */
  seen(since: number): Promise<void>;
  /** Resolves when the last request is answered. */
  stop(): Promise<void>;
}

/** How long a token is cached without a notification, plus one heartbeat. Milliseconds. */
export const TRUST = 1_500;

/** Everything works again this long after PostgreSQL and the network do: a hung query ends after 15.5 s. Milliseconds. */
export const RECOVERY = 17_000;
/** How many successful responses of each kind prove that. */
const ENOUGH = 10;

const REST = 500;
const PROBE_INTERVAL = 200;

/** Lists, reads, writes and reports by several concurrent clients, and a readiness probe. */
export function startLoad(origin: string, token: string, clients = 12): Load {
  const answers: Answered[] = [];
  let stopped = false;
  const base = `${origin}/v1`;
  const kinds: Record<string, () => ReturnType<typeof call>> = {
    list: () => call(token, 'GET', `${base}/leads?per_page=5`),
    me: () => call(token, 'GET', `${base}/auth/me`),
    create: () => call(token, 'POST', `${base}/leads`, { name: 'Ada', email: uniqueEmail() }),
    report: () => call(token, 'GET', `${base}/analytics/summary`),
  };

  async function ask(what: string, send: () => ReturnType<typeof call>): Promise<void> {
    const at = performance.now();
    const { status, headers, body } = await send();
    const { id } = (body.data ?? {}) as { id?: string };
    answers.push({
      what,
      at,
      ms: performance.now() - at,
      status,
      retryAfter: headers.get('Retry-After'),
      id,
    });
  }

  async function client(number: number): Promise<void> {
    const names = Object.keys(kinds);
    for (let turn = number; !stopped; turn += 1) {
      const what = names[turn % names.length] as string;
      await ask(what, kinds[what] as (typeof kinds)[string]);
      await sleep(REST);
    }
  }

  async function probe(): Promise<void> {
    while (!stopped) {
      await ask('readyz', () => call('', 'GET', `${origin}/readyz`));
      await sleep(PROBE_INTERVAL);
    }
  }

  const running = [probe(), ...Array.from({ length: clients }, (_, number) => client(number))];
  return {
    answers,
    async seen(since) {
      const count = (kind: string) => answers.filter(({ at, what }) => at > since && what === kind).length;
      while (['readyz', ...Object.keys(kinds)].some((kind) => count(kind) < ENOUGH)) await sleep(100);
    },
    async stop() {
      stopped = true;
      await Promise.all(running);
    },
  };
}

const MAX_MS = 20_000;
/** The service takes 2 s at most; the rest is for a machine that runs other tests. */
const MAX_MS_READY = 2_500;

/** Expects that all permanent promises hold, and that requests sent after `well` succeed. */
export function expectKept({ answers }: Load, well: number): void {
  const told = ({ what, status, ms }: Answered) => `${what} ${status} after ${Math.round(ms)} ms`;
  const late = answers.filter(({ what, ms }) => ms > (what === 'readyz' ? MAX_MS_READY : MAX_MS));
  expect(late.map(told)).toEqual([]);
  const untold = answers.filter(
    ({ status, retryAfter }) => status > 299 && (status !== 503 || !Number(retryAfter)),
  );
  expect(untold.map(told)).toEqual([]);
  const afterwards = answers.filter(({ at }) => at > well);
  expect(afterwards.length).toBeGreaterThanOrEqual(5 * ENOUGH);
  expect(afterwards.filter(({ status }) => status > 299).map(told)).toEqual([]);
}
