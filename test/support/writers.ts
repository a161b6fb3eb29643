/** Clients that write all the time, through whatever happens to the database. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { call } from './process.ts';

/** One request, and the answer that it got. */
interface Attempt {
  status: number;
  code: unknown;
  retryAfter: string | null;
  /** Milliseconds. */
  took: number;
}

export interface Writers {
  /** The leads that a client got a 201 for. */
  created: { email: string; id: string; at: number }[];
  attempts: Attempt[];
  /** The longest time without any 201 since this moment of performance.now(). Milliseconds. */
  pauseSince(moment: number): number;
  /** Resolves when each has written what it had begun. */
  stop(): Promise<void>;
}

/** Each writer creates leads one after the other, and repeats each request with its Idempotency-Key until it gets a 201. */
export function startWriters(bases: readonly string[], token: string, count: number): Writers {
  const created: Writers['created'] = [];
  const attempts: Attempt[] = [];
  let isOver = false;

  async function attempt(base: string, lead: object, key: string): Promise<string | undefined> {
    const startedAt = performance.now();
    const { status, headers, body } = await call(token, 'POST', `${base}/leads`, lead, {
      'Idempotency-Key': key,
    });
    const took = performance.now() - startedAt;
    attempts.push({ status, code: body.code, retryAfter: headers.get('Retry-After'), took });
    return status === 201 ? (body.data as { id: string }).id : undefined;
  }

  async function write(base: string): Promise<void> {
    const lead = { name: 'Ada', email: `${randomUUID()}@example.com` };
    const key = randomUUID();
    for (;;) {
      const id = await attempt(base, lead, key);
      if (id !== undefined) return void created.push({ email: lead.email, id, at: performance.now() });
      await sleep(100);
    }
  }

  const running = Array.from({ length: count }, async (_, index) => {
    while (!isOver) {
      await write(bases[index % bases.length] as string);
      await sleep(20);
    }
  });
  return {
    created,
    attempts,
    pauseSince(moment) {
      const moments = [moment, ...created.map(({ at }) => at).filter((at) => at > moment), performance.now()];
      return Math.max(...moments.slice(1).map((at, index) => at - (moments[index] as number)));
    },
    async stop() {
      isOver = true;
      await Promise.all(running);
    },
  };
}
