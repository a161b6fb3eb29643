import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Worker } from '../../../src/deliveries/worker.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import {
  addWebhook,
  deliveriesOf,
  endLeases,
  type Receiver,
  startReceiver,
  startTestWorker,
  until,
} from '../../support/deliveries.ts';
import { createLead } from '../../support/factories.ts';

let app: TestApp;
let client: TestClient;
let receiver: Receiver;
let webhook: string;
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
  await app.production.db.raw('delete from webhooks; delete from pgboss.job');
});

afterAll(async () => {
  await receiver.close();
  await app.close();
});

async function startWorker(): Promise<Worker> {
  const worker = await startTestWorker(app);
  workers.push(worker);
  return worker;
}

async function startDelivery(): Promise<Worker> {
  webhook = await addWebhook(app.production.db, app.secretKey, receiver.url);
  const worker = await startWorker();
  await createLead(client);
  await until(() => held.length === 1);
  return worker;
}

/** Another worker takes the job, which still is under way. */
async function takeAgain(): Promise<void> {
  await endLeases(app.production.db);
  await startWorker();
  await until(() => held.length === 2);
}

const jobs = async () => (await app.production.db.raw('select * from pgboss.job')).rows;

async function answer(request: number, status: number, attempts: number): Promise<void> {
  held[request]?.writeHead(status).end();
  await until(async () => (await deliveriesOf(app.production.db, webhook))[0]?.attempt_count === attempts);
}

describe('a job whose worker has not ended it within half a minute', () => {
  it('is taken up by another one after a stop that did not wait for the answer', async () => {
    const worker = await startDelivery();
    await worker.stop(0);
    const [before] = await deliveriesOf(app.production.db, webhook);
    expect(before).toMatchObject({ status: 'pending', attempt_count: 0 });
    await takeAgain();
    await answer(1, 204, 1);
    expect(await deliveriesOf(app.production.db, webhook)).toMatchObject([{ status: 'succeeded' }]);
    expect(await jobs()).toEqual([]);
  });

  it('is over when one of both has succeeded', async () => {
    await startDelivery();
    await takeAgain();
    await answer(1, 204, 1);
    held[0]?.writeHead(500).end();
    await Promise.all(workers.map((worker) => worker.stop(5_000)));
    const [after] = await deliveriesOf(app.production.db, webhook);
    expect(after).toMatchObject({ status: 'succeeded', attempts: [{ status_code: 204 }] });
    expect(await jobs()).toEqual([]);
  });

  it('has one next attempt when both have failed', async () => {
    await startDelivery();
    await takeAgain();
    await answer(0, 500, 1);
    await answer(1, 502, 2);
    const [after] = await deliveriesOf(app.production.db, webhook);
    expect(after).toMatchObject({
      status: 'pending',
      attempts: [{ status_code: 500 }, { status_code: 502 }],
    });
    expect(await jobs()).toMatchObject([{ start_after: after?.next_attempt_at }]);
  });
});
