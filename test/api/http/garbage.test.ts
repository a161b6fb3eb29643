/** What a request leaves in memory goes with V8's quick collections: a slow one each second takes a tenth of the CPU. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { requestHead } from '../../support/raw.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as NodeJS.GCFunction;

const REQUESTS = 400;
/** Bytes that each of them has at least. */
const FILLER = 8000;

let app: TestApp;
let authorized: Record<string, string>;

beforeAll(async () => {
  app = await startTestApp();
  authorized = (await app.client()).headers;
});

afterAll(() => app.close());

async function open(): Promise<Socket> {
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  return socket;
}

async function read(socket: Socket): Promise<void> {
  await send(socket, requestHead('GET', '/v1/users', { ...authorized, 'X-Filler': 'x'.repeat(FILLER) }), 200);
}

async function write(socket: Socket): Promise<void> {
  const body = JSON.stringify({ name: 'x'.repeat(FILLER) });
  const headers = { 'Content-Type': 'application/json', 'Content-Length': String(body.length) };
  await send(socket, requestHead('POST', '/v1/users', { ...authorized, ...headers }) + body, 422);
}

async function send(socket: Socket, request: string, status: number): Promise<void> {
  socket.write(request);
  const [answer] = await once(socket, 'data');
  expect(String(answer).slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
}

async function repeat(count: number, request: () => Promise<void>): Promise<void> {
  for (let sent = 0; sent < count; sent += 1) {
    await request();
    if (sent % 20 === 0) collect({ type: 'minor' });
  }
}

/** Bytes after two quick collections: one keeps what the other takes. */
function used(): number {
  collect({ type: 'minor' });
  collect({ type: 'minor' });
  return process.memoryUsage().heapUsed;
}

/** Bytes that the requests have left. */
async function leftBy(request: () => Promise<void>): Promise<number> {
  await repeat(REQUESTS / 10, request);
  collect();
  const before = used();
  await repeat(REQUESTS, request);
  return used() - before;
}

it.each([
  ['with', write],
  ['without', read],
])('requests %s a body are freed without a slow collection', async (_, request) => {
  const socket = await open();
  expect(await leftBy(() => request(socket))).toBeLessThan(REQUESTS * FILLER);
  socket.destroy();
});

it('so are requests on connections of their own', async () => {
  const request = async () => {
    const socket = await open();
    await write(socket);
    socket.destroy();
  };
  expect(await leftBy(request)).toBeLessThan(REQUESTS * FILLER);
});
