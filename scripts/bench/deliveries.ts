import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../../src/db/database.ts';
import type { Db } from '../../src/db/db.ts';
import { knex } from '../../src/db/query.ts';
import { startEmbedded } from '../../src/embedded-postgres/server.ts';
import { addBacklog, addWebhook } from '../../test/support/deliveries.ts';
import { type Closers, newFolder, open } from '../closing.ts';
import { newLead } from './leads.ts';
import { load, send, type Target } from './load.ts';
import { median } from './median.ts';
import { startApi } from './service.ts';

const BACKLOG = 10_000;
const IDLE_EVENTS = 100;
const ROUNDS = 5;
const SECONDS = 3;
/** Milliseconds. */
const RESPONSE_DELAY = 20;

/**
 * Measures the deliveries per second of one worker to a receiver that answers after 20 ms, the latency of a delivery
 * when idle, and how much five subscriptions slow down creating leads.
 */
export async function measureDeliveries(closers: Closers): Promise<void> {
  const dataDir = await newFolder(closers);
  const api = await startApi(closers, { dataDir, env: { ROLE: 'api' } });
  const server = await open(closers, startEmbedded(dataDir), (started) => started.stop());
  const db = new Database(server.url('lead_pipeline_production'), 2);
  closers.push(() => db.close());
  const receiver = await startReceiver(closers);
  const secretKey = Buffer.from((await readFile(join(dataDir, 'secret.key'), 'utf8')).trim(), 'base64');
  for (let number = 1; number <= 5; number += 1)
    await addWebhook(db, [secretKey], `${receiver.url}/${number}`);

  const ratio = await compareCreates(api, db);
  console.log(`creates per second, five subscriptions vs. none: ratio ${ratio.toFixed(3)} (at least 0.6)`);

  await db.run(knex.raw('truncate webhook_deliveries, webhook_attempts'));
  await db.run(knex('webhooks').whereNot('url', 'like', '%/1').delete());
  const worker = await startApi(closers, { dataDir, env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
  await addBacklog(db, BACKLOG);
  const startedAt = Date.now();
  const { lastAt } = await receiver.waitFor(BACKLOG);
  const rate = (BACKLOG / (lastAt - startedAt)) * 1000;
  console.log(
    `deliveries per second, one worker and a receiver that takes 20 ms: ${rate.toFixed(0)} (at least 1200)`,
  );

  await sleep(1_000);
  for (let number = 0; number < IDLE_EVENTS; number += 1) {
    await send(worker, newLead());
    await sleep(30);
  }
  const { delays } = await receiver.waitFor(BACKLOG + IDLE_EVENTS);
  const idle = delays.slice(-IDLE_EVENTS).sort((a, b) => a - b);
  console.log(
    `idle latency from event to receipt, ms: p50 ${idle[IDLE_EVENTS / 2]}, ` +
      `p95 ${idle[IDLE_EVENTS * 0.95]} (at most 20)`,
  );
}

/** The median ratio of several pairs of measurements, after one warm-up pair. */
async function compareCreates(api: Target, db: Db): Promise<number> {
  const measure = async (status: 'enabled' | 'paused') => {
    await db.run(knex('webhooks').update({ status }));
    return (await load(api, newLead, SECONDS)).requestsPerSecond;
  };
  const ratios: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const none = await measure('paused');
    const five = await measure('enabled');
    console.log(`create leads ${round}  none ${none.toFixed(0)}/s  five ${five.toFixed(0)}/s`);
    if (round > 0) ratios.push(five / none);
  }
  return median(ratios);
}

/** A subscriber that answers every delivery after 20 ms. */
async function startReceiver(closers: Closers) {
  let lastAt = 0;
  /** Milliseconds from the event to its receipt. */
  const delays: number[] = [];
  const server = createServer(async (req, res) => {
    const { occurred_at } = (await json(req)) as { occurred_at: string };
    lastAt = Date.now();
    delays.push(lastAt - Date.parse(occurred_at));
    setTimeout(() => res.writeHead(204).end(), RESPONSE_DELAY);
  });
  server.keepAliveTimeout = 60_000;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closers.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Waits until `count` deliveries have been received in total. Times out after a minute. */
    async waitFor(count: number) {
      for (let wait = 0; delays.length < count; wait += 1) {
        if (wait === 600) throw new Error(`Received ${delays.length} deliveries, fewer than ${count}.`);
        await sleep(100);
      }
      return { lastAt, delays };
    },
  };
}
