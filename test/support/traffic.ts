/** Clients that keep creating and reading contacts, and the responses they got. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { call } from './process.ts';

export interface Traffic {
  /** Names of contacts whose creation was answered with 201. */
  created: string[];
  answered: number;
  /** Requests that were not answered with 2xx, or not at all. */
  failed: string[];
  /** The longest time that a client has waited since the last call. Milliseconds. */
  slowest(): number;
  /** Resolves when the last request is answered. */
  stop(): Promise<void>;
}

/** Milliseconds between two rounds of a client. */
const REST = 200;

/** `keyed` clients send a POST with an Idempotency-Key, `bare` ones without. */
export function startTraffic(
  origin: string,
  token: string,
  { keyed, bare }: { keyed: number; bare: number },
): Traffic {
  const traffic = { created: [] as string[], failed: [] as string[], answered: 0 };
  let slowest = 0;
  let isStopped = false;

  async function ask(method: string, path: string, body?: object, headers?: Record<string, string>) {
    const start = performance.now();
    try {
      const answer = await call(token, method, `${origin}/v1${path}`, body, headers);
      if (answer.status < 300) return answer;
      traffic.failed.push(`${method} ${path}: ${answer.status} ${answer.body.message}`);
    } catch (error) {
      traffic.failed.push(`${method} ${path}: ${(error as Error).cause ?? error}`);
    } finally {
      traffic.answered += 1;
      slowest = Math.max(slowest, performance.now() - start);
    }
    return undefined;
  }

  async function client(hasKey: boolean): Promise<void> {
    while (!isStopped) {
      const name = crypto.randomUUID();
      const headers: Record<string, string> = hasKey ? { 'Idempotency-Key': name } : {};
      const answer = await ask('POST', '/contacts', { name }, headers);
      if (answer !== undefined) traffic.created.push(name);
      const { id } = (answer?.body.data ?? {}) as { id?: string };
      await ask('GET', id === undefined ? '/contacts?per_page=5' : `/contacts/${id}`);
      await sleep(REST);
    }
  }

  const clients = [true, false].flatMap((hasKey) =>
    Array.from({ length: hasKey ? keyed : bare }, () => client(hasKey)),
  );
  return Object.assign(traffic, {
    slowest() {
      const last = slowest;
      slowest = 0;
      return last;
    },
    async stop() {
      isStopped = true;
      await Promise.all(clients);
    },
  });
}

/** Every contact answered with 201 exists, and none exists twice. */
export async function expectKeptOnce(origin: string, token: string, { created }: Traffic): Promise<void> {
  const stored: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const path: string = `/v1/contacts?per_page=100${cursor && `&cursor=${cursor}`}`;
    const { status, body } = await call(token, 'GET', origin + path);
    expect(status).toBe(200);
    const { data, meta } = body as { data: { name: string }[]; meta: { next_cursor: string | null } };
    stored.push(...data.map(({ name }) => name));
    cursor = meta.next_cursor;
  }
  expect(created.filter((name) => !stored.includes(name))).toEqual([]);
  expect(stored.filter((name, at) => stored.indexOf(name) !== at)).toEqual([]);
}
