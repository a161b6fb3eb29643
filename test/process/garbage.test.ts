/**
 * V8's minor collections free everything that requests allocate: a major one each second would take a tenth of the CPU.
 * Runs in its own process, since the heap of a test worker also holds what other test files left.
 */
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  call,
  cleanUp,
  externalDatabases,
  getToken,
  type RunningServer,
  startServer,
  unlimited,
} from '../support/process.ts';

const REQUESTS = 400;
/** Size of the text in large requests. Bytes. */
const FILLER = 8000;

const large = 'x'.repeat(FILLER);

let server: RunningServer;
let inspector: WebSocket;
let token: string;

beforeAll(async () => {
  const { env, credentials } = await externalDatabases();
  const NODE_OPTIONS = '--expose-gc --inspect=127.0.0.1:0';
  server = await startServer({ ...env, ...unlimited, NODE_OPTIONS });
  inspector = new WebSocket(/ws:\S+/.exec(server.output.stderr)?.[0] ?? '');
  await once(inspector, 'open');
  token = await getToken(`${server.url}/v1`, credentials);
});

afterAll(async () => {
  inspector?.close();
  await cleanUp();
});

/** Evaluates an expression in the service. */
async function evaluate<T>(expression: string): Promise<T> {
  const params = { expression, returnByValue: true };
  inspector.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params }));
  const [message] = await once(inspector, 'message');
  return JSON.parse(message.data).result.result.value;
}

const quickCollection = 'gc({ type: "minor" })';

/** Used heap after two minor collections, since objects survive the first one. Bytes. */
function used(): Promise<number> {
  return evaluate(`${quickCollection}; ${quickCollection}; process.memoryUsage().heapUsed`);
}

async function repeat(count: number, request: () => Promise<void>): Promise<void> {
  for (let sent = 0; sent < count; sent += 1) {
    await request();
    if (sent % 20 === 0) await evaluate(quickCollection);
  }
}

/** Heap growth caused by the requests. Bytes. */
async function leftBy(request: Request, text: string): Promise<number> {
  await repeat(REQUESTS / 10, () => request(text));
  await evaluate('gc()');
  const before = await used();
  await repeat(REQUESTS, () => request(text));
  return (await used()) - before;
}

type Request = (text: string) => Promise<void>;

async function read(text: string, headers: Record<string, string> = {}): Promise<void> {
  const { status } = await call(token, 'GET', `${server.url}/v1/users`, undefined, {
    'X-Filler': text,
    ...headers,
  });
  expect(status).toBe(200);
}

async function write(text: string): Promise<void> {
  const { status } = await call(token, 'POST', `${server.url}/v1/users`, { name: text, email: 'x' });
  expect(status).toBe(422);
}

const requests: [string, Request][] = [
  ['requests with a body', write],
  ['requests without a body', read],
  ['requests on separate connections', (text) => read(text, { Connection: 'close' })],
];

// Background work leaves something too, so the same number of small requests is the yardstick.
it.each(requests)('%s are freed without a major collection', async (_, request) => {
  const small = await leftBy(request, 'x');
  expect((await leftBy(request, large)) - small).toBeLessThan((REQUESTS * FILLER) / 2);
});
