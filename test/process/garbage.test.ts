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
/** Minimum size of each request. Bytes. */
const FILLER = 8000;

const filler = 'x'.repeat(FILLER);

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
async function leftBy(request: () => Promise<void>): Promise<number> {
  await repeat(REQUESTS / 10, request);
  await evaluate('gc()');
  const before = await used();
  await repeat(REQUESTS, request);
  return (await used()) - before;
}

async function read(headers: Record<string, string> = {}): Promise<void> {
  const { status } = await call(token, 'GET', `${server.url}/v1/users`, undefined, {
    'X-Filler': filler,
    ...headers,
  });
  expect(status).toBe(200);
}

async function write(): Promise<void> {
  const { status } = await call(token, 'POST', `${server.url}/v1/users`, { name: filler });
  expect(status).toBe(422);
}

it.each([
  ['requests with a body', write],
  ['requests without a body', read],
  ['requests on separate connections', () => read({ Connection: 'close' })],
])('%s are freed without a major collection', async (_, request) => {
  expect(await leftBy(request)).toBeLessThan(REQUESTS * FILLER);
});
