/** Which deliveries are made first, by whom, and how often. */
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Worker } from '../../../src/deliveries/worker.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import {
  addBacklog,
  Clock,
  countPending,
  startReceiver,
  startTestWorker,
  subscribe,
  unsubscribe,
  until,
} from '../../support/deliveries.ts';
import { createLead } from '../../support/factories.ts';

let app: TestApp;
let client: TestClient;
const closers: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await unsubscribe(client);
});

afterAll(() => app.close());

function closing<T extends { close(): Promise<unknown> }>(one: T): T {
  closers.push(() => one.close());
  return one;
}

function startWorker(clock?: Clock): Worker {
  const worker = startTestWorker(app, { clock });
  closers.push(() => worker.stop(1_000));
  return worker;
}

describe('several webhooks', () => {
  it("don't wait for one that is slow, with tens of thousands of deliveries before them", async () => {
    const { db } = app.production;
    const held: ServerResponse[] = [];
    let isSlow = true;
    const slow = closing(
      await startReceiver((_, res) => void (isSlow ? held.push(res) : res.writeHead(204).end())),
    );
    const fast = closing(await startReceiver());
    await subscribe(client, slow.url);
    await createLead(client);
    await addBacklog(db, 20_000);
    await subscribe(client, fast.url);
    startWorker();
    await until(() => held.length > 0);
    const startedAt = performance.now();
    for (let count = 1; count <= 10; count += 1) {
      await createLead(client);
      await until(() => fast.received.length === count);
    }
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(slow.received).toHaveLength(held.length);
    isSlow = false;
    for (const res of held) res.writeHead(204).end();
    await until(() => slow.received.length > 1_000);
    expect(new Set(slow.received.map(({ event }) => event.id)).size).toBe(slow.received.length);
  });
});

describe('two workers', () => {
  it('deliver every event once to each webhook', async () => {
    const receiver = closing(await startReceiver());
    const { id: a } = await subscribe(client, `${receiver.url}/a`);
    const { id: b } = await subscribe(client, `${receiver.url}/b`);
    startWorker();
    startWorker();
    await Promise.all(Array.from({ length: 100 }, () => createLead(client)));
    await until(() => receiver.received.length >= 200);
    await until(async () => (await countPending(client, a)) + (await countPending(client, b)) === 0);
    const sent = receiver.received.map(({ path, event }) => path + event.id);
    expect(new Set(sent).size).toBe(200);
    expect(sent).toHaveLength(200);
  });
});

describe('one webhook', () => {
  it('gets new events before failed ones', async () => {
    const { db } = app.production;
    let status = 500;
    const receiver = closing(await startReceiver((_, res) => void res.writeHead(status).end()));
    const { id } = await subscribe(client, receiver.url);
    await createLead(client);
    await addBacklog(db, 199);
    const clock = new Clock();
    const worker = startWorker(clock);
    await until(() => receiver.received.length === 200);
    await worker.stop(5_000);
    clock.advance({ seconds: 10 });
    status = 204;
    const { id: newest } = await createLead(client);
    startWorker(clock);
    await until(async () => (await countPending(client, id)) === 0);
    const later = receiver.received.slice(200).map(({ event }) => event.data.object.id);
    expect(later).toHaveLength(201);
    // Sixty-four are made at a time.
    expect(later.slice(0, 64)).toContain(newest);
  });
});
