import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Worker } from '../../../src/deliveries/worker.ts';
import { toUuid } from '../../../src/values/id.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import {
  Clock,
  deliveriesOf,
  type Receiver,
  startReceiver,
  startTestWorker,
  subscribe,
  unsubscribe,
  until,
} from '../../support/deliveries.ts';
import { createLead } from '../../support/factories.ts';

let app: TestApp;
let client: TestClient;
let receiver: Receiver;
let webhook: string;
let clock: Clock;
/** Requests of deliveries, which the test answers. */
const held: ServerResponse[] = [];
const workers: Worker[] = [];

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
  receiver = await startReceiver((_, res) => void held.push(res));
});

afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop(0)));
  held.length = 0;
  await unsubscribe(client);
});

afterAll(async () => {
  await receiver.close();
  await app.close();
});

function startWorker(): Worker {
  const worker = startTestWorker(app, { clock });
  workers.push(worker);
  return worker;
}

async function startDelivery(): Promise<Worker> {
  clock = new Clock();
  webhook = (await subscribe(client, receiver.url)).id;
  const worker = startWorker();
  await createLead(client);
  await until(() => held.length === 1);
  return worker;
}

/** How long no worker renews its lease, so that another one takes the delivery. */
async function takeAgain(): Promise<void> {
  clock.advance({ seconds: 15 });
  startWorker();
  await until(() => held.length === 2);
}

const deliveries = () => deliveriesOf(client, webhook);

async function answer(request: number, status: number, attempts: number): Promise<void> {
  held[request]?.writeHead(status).end();
  await until(async () => (await deliveries())[0]?.attempt_count === attempts);
}

/** Milliseconds since 1970. */
async function leasedUntil(): Promise<number> {
  const own = { webhook_id: toUuid('webhook', webhook) ?? '' };
  const row = await app.production.knex('webhook_deliveries').where(own).first('leased_until');
  return Date.parse(row?.leased_until ?? '');
}

/** Whether workers that poll take only a new delivery. */
async function isLeftAlone(): Promise<boolean> {
  const before = held.length;
  await createLead(client);
  await until(() => held.length > before);
  return held.length === before + 1;
}

describe('a delivery whose worker is gone', () => {
  it('is taken up by another one after a quarter of a minute', async () => {
    const worker = await startDelivery();
    await worker.stop(0);
    expect(await deliveries()).toMatchObject([{ status: 'pending', attempt_count: 0 }]);
    await takeAgain();
    await answer(1, 204, 1);
    expect(await deliveries()).toMatchObject([{ status: 'succeeded', next_attempt_at: null }]);
  });

  it('is left alone until then', async () => {
    const worker = await startDelivery();
    await worker.stop(0);
    clock.advance({ seconds: 10 });
    startWorker();
    expect(await isLeftAlone()).toBe(true);
  });
});

describe('a delivery that takes long', () => {
  it('is left alone by others while its worker renews the lease', async () => {
    await startDelivery();
    const taken = await leasedUntil();
    clock.advance({ seconds: 8 });
    await until(async () => (await leasedUntil()) > taken);
    // Past the end of the first lease.
    clock.advance({ seconds: 8 });
    startWorker();
    expect(await isLeftAlone()).toBe(true);
  });
});

describe('a delivery that two workers have', () => {
  it('is over when one of both has succeeded', async () => {
    await startDelivery();
    await takeAgain();
    await answer(1, 204, 1);
    held[0]?.writeHead(500).end();
    await Promise.all(workers.map((worker) => worker.stop(5_000)));
    expect(await deliveries()).toMatchObject([
      { status: 'succeeded', next_attempt_at: null, attempts: [{ status_code: 204 }] },
    ]);
  });

  it('has one attempt and one next attempt when both have failed', async () => {
    await startDelivery();
    await takeAgain();
    held[0]?.writeHead(500, { 'Retry-After': '300' }).end();
    await until(async () => (await deliveries())[0]?.attempt_count === 1);
    const [failed] = await deliveries();
    expect(failed).toMatchObject({ status: 'pending', attempts: [{ status_code: 500 }] });
    held[1]?.writeHead(502).end();
    // The workers record later results after that.
    for (const request of [2, 3]) {
      await createLead(client);
      await until(() => held.length === request + 1);
      held[request]?.writeHead(204).end();
    }
    await Promise.all(workers.splice(0).map((worker) => worker.stop(5_000)));
    expect((await deliveries())[0]).toEqual(failed);
    startWorker();
    clock.advance({ seconds: 310 });
    await until(() => held.length === 5);
    expect(await isLeftAlone()).toBe(true);
  });
});
