/** Clients that disconnect, or send invalid HTTP, while their file is being received. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { leftovers, upload } from '../../support/imports.ts';
import { requestHead } from '../../support/raw.ts';

let app: TestApp;
let client: TestClient;
let authorization: string;

beforeAll(async () => {
  app = await startTestApp();
  const { client_id, client_secret } = await app.credentials();
  const { body } = await app.anonymous
    .post('/auth/token', { grant_type: 'client_credentials', client_id, client_secret })
    .expect(200);
  authorization = `Bearer ${body.access_token}`;
  client = app.anonymous.with({ Authorization: authorization });
});

afterAll(() => app.close());

/** More uploads than are received at the same time. */
const CLIENTS = 6;

const partial = { 'Content-Length': '1000' };
const chunked = { 'Transfer-Encoding': 'chunked' };

it.each<[string, Record<string, string>, string, 'resetAndDestroy' | 'destroy' | 'end' | 'wait']>([
  ['resets the connection', partial, 'name,email\nAda', 'resetAndDestroy'],
  ['closes the connection', partial, 'name,email\nAda', 'destroy'],
  ['stops sending', partial, 'name,email\nAda', 'end'],
  ['sends a malformed chunk', chunked, 'zz\r\nname', 'wait'],
  ['sends a malformed second chunk', chunked, '5\r\nname,\r\nzz\r\n', 'wait'],
  ['sends more than a chunk announces', chunked, '4\r\nname,email\r\n', 'wait'],
  ['closes the connection within a chunk', chunked, '40\r\nname,email\nAda', 'destroy'],
])('a client that %s does not block the next upload', async (_, headers, sent, leave) => {
  const head = requestHead('POST', '/v1/imports?resource=leads', {
    Authorization: authorization,
    'Content-Type': 'text/csv',
    ...headers,
  });
  const gone = Array.from({ length: CLIENTS }, async () => {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
    socket.on('error', () => undefined).resume();
    const closed = once(socket, 'close');
    await new Promise((resolve) => socket.write(head + sent, resolve));
    if (leave !== 'wait') socket[leave]();
    await closed;
  });
  await Promise.all(gone);
  await vi.waitFor(() => upload(client, 'name,email\nAda,ada@example.com\n', 'start=false').expect(202), {
    timeout: 5_000,
    interval: 100,
  });
  expect(await leftovers(app)).toEqual([]);
});
