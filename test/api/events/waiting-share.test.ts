/** A client has a thousand places to wait for events. If it uses up all of them, others still have theirs. */
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { requestHead } from '../../support/raw.ts';

vi.setConfig({ testTimeout: 60_000 });

type Place = 'production' | 'sandbox';

let app: TestApp;
const sockets: Socket[] = [];

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
});

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

afterAll(() => app.close());

/** Events that nobody records here. */
async function waitPath(client: TestClient): Promise<string> {
  const { body } = await client.get('/events?after=latest').expect(200);
  return `/events?after=${body.meta.next_cursor}&types=user.deleted`;
}

/** Answers go to `refusals`: those that wait get none. */
function startWaiting({ baseUrl, headers }: TestClient, path: string, refusals: string[]): void {
  const { hostname, port, pathname } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined).on('data', (data) => refusals.push(String(data)));
  socket.write(requestHead('GET', `${pathname}${path}&wait=30`, headers));
  sockets.push(socket);
}

it.each<[Place, Place]>([
  ['production', 'production'],
  ['production', 'sandbox'],
  ['sandbox', 'production'],
])(
  'a client of %s that waits a thousand times gets 503 alone: one of %s still waits',
  async (place, otherPlace) => {
    const client = await app.client(undefined, place);
    const other = await app.client(undefined, otherPlace);
    const path = await waitPath(client);
    const refusals: string[] = [];
    while (!refusals.some((refusal) => refusal.includes('already has 1000 requests that wait'))) {
      for (let count = 0; count < 100; count += 1) startWaiting(client, path, refusals);
      await client.get('/leads').expect(200);
    }
    await client.get(`${path}&wait=1`).expect(503);
    await client.get(path).expect(200);
    await other.get(`${await waitPath(other)}&wait=1`).expect(200);
  },
);
