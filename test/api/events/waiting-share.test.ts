/** A client has a thousand places to wait for events. If it uses up all of them, others still have theirs. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
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
  const { body } = await client.get('/events?cursor=latest').expect(200);
  return `/events?cursor=${body.meta.next_cursor}&event_types=user.deleted`;
}

/** Sends requests that wait, all on one connection. As many as may wait for their turn. */
function startWaiting({ baseUrl, headers }: TestClient, path: string): void {
  const { hostname, port, pathname } = new URL(baseUrl);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  socket.write(requestHead('GET', `${pathname}${path}&wait=30`, headers).repeat(400));
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
    let refusal: string | undefined;
    while (refusal === undefined) {
      startWaiting(client, path);
      // So that they, and not the next request, get the places that are free.
      await sleep(300);
      const { body } = await client.get(`${path}&wait=1`);
      refusal = body.message;
    }
    expect(refusal).toContain('already has 1000 requests that wait for events');
    await client.get(path).expect(200);
    await other.get(`${await waitPath(other)}&wait=1`).expect(200);
  },
);
