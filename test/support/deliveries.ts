/** Webhooks, receivers and workers as in production, on the loopback. */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import { vi } from 'vitest';
import type { components } from '../../generated/api.ts';
import type { Db } from '../../src/db/db.ts';
import { knex } from '../../src/db/query.ts';
import { createSender, type Sender } from '../../src/deliveries/send.ts';
import { startWorker, type Worker } from '../../src/deliveries/worker.ts';
import { DELIVERIES } from '../../src/events/channels.ts';
import { newUuid } from '../../src/values/id.ts';
import { encrypt, type SecretKey } from '../../src/values/secrets.ts';
import type { TestApp } from './app.ts';
import type { TestClient } from './client.ts';
import { noteEvent } from './coverage.ts';
import { getDelivery } from './webhooks.ts';

export interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
  event: { id: string; type: string; data: { object: { id: string; name?: string } } };
}

export interface Receiver {
  url: string;
  received: Received[];
  close(): Promise<void>;
}

function bodyOf(req: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    req.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    req.on('end', () => resolve(text));
  });
}

/** A subscriber's server. It answers 204 by default. */
export async function startReceiver(
  answer: (received: Received, res: ServerResponse) => void = (_, res) => void res.writeHead(204).end(),
  listen: (listener: RequestListener) => ReturnType<typeof createServer> = createServer,
): Promise<Receiver> {
  const received: Received[] = [];
  const server = listen(async (req, res) => {
    const body = await bodyOf(req);
    const one = {
      path: req.url ?? '',
      headers: req.headers as Record<string, string>,
      body,
      event: JSON.parse(body),
    };
    received.push(one);
    noteEvent(one.event.type);
    answer(one, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** Creates an enabled webhook for all events. Returns its uuid. */
export async function addWebhook(
  db: Db,
  secretKey: SecretKey,
  url: string,
  secret = newWebhookSecret(),
): Promise<string> {
  const id = newUuid();
  const encrypted_secret = encrypt(secretKey, secret);
  await db.run(knex('webhooks').insert({ id, url, event_types: ['*'], encrypted_secret }));
  return id;
}

/** Inserts that many events like the last one, each with a delivery to every webhook, in one statement. */
export async function addBacklog(db: Db, count: number): Promise<void> {
  await db.transaction(async (trx) => {
    await trx.run(
      knex.raw(
        `with model as (select * from events order by position desc limit 1), added as (
         insert into events (type, request_id, actor_type, actor_id, resource_id, object)
         select type, request_id, actor_type, actor_id, resource_id, object from model, generate_series(1, ?)
         returning id, type, resource_id
       )
       insert into webhook_deliveries (webhook_id, event_id, event_type, resource_id)
       select webhooks.id, added.id, added.type, added.resource_id from webhooks, added`,
        [count],
      ),
    );
    trx.notify(DELIVERIES);
  });
}

/** Verifies a delivery with the library, as a subscriber would at that time. Throws if the signature is wrong. */
export function verify({ headers, body }: Received, secret: string, at = new Date()): void {
  vi.useFakeTimers({ toFake: ['Date'], now: at });
  try {
    new Webhook(secret).verify(body, headers);
  } finally {
    vi.useRealTimers();
  }
}

/** A clock that a test can set ahead of the real one. */
export class Clock {
  private ahead = 0;

  readonly now = () => new Date(Date.now() + this.ahead);

  reset(): void {
    this.ahead = 0;
  }

  advance({ hours = 0, seconds = 0 }: { hours?: number; seconds?: number }): void {
    this.ahead += (hours * 3_600 + seconds) * 1_000;
  }
}

/** A worker of the production environment. */
export function startTestWorker(
  { production, secretKey }: Pick<TestApp, 'production' | 'secretKey'>,
  { clock, sender = createSender({ allowPrivate: true }) }: { clock?: Clock; sender?: Sender } = {},
): Worker {
  const worker = startWorker({
    environment: 'production',
    db: production.db,
    listener: production.listener,
    probe: production.probe,
    secretKey,
    sender,
    random: () => 0.5,
    now: clock?.now,
    logger: pino({ level: 'silent' }),
  });
  return {
    async stop(timeout) {
      await worker.stop(timeout);
      sender.close();
    },
  };
}

type Schemas = components['schemas'];

/** Subscribes this address to all events. Returns the webhook's public id and its secret. */
export async function subscribe(client: TestClient, url: string): Promise<{ id: string; secret: string }> {
  const { body } = await client.post('/webhooks', { url, event_types: ['*'] }).expect(201);
  return body.data;
}

/** Deletes all webhooks. */
export async function unsubscribe(client: TestClient): Promise<void> {
  const { body } = await client.get('/webhooks?per_page=100').expect(200);
  for (const { id } of body.data) await client.delete(`/webhooks/${id}`).expect(204);
}

/** The deliveries to a webhook, the oldest first, without their attempts; at most 100. */
export async function listDeliveries(
  client: TestClient,
  webhookId: string,
): Promise<Schemas['WebhookDelivery'][]> {
  const path = `/webhooks/${webhookId}/deliveries?sort=created_at&per_page=100`;
  const { body } = await client.get(path).expect(200);
  return body.data;
}

/** The deliveries to a webhook, the oldest first, each with its attempts. */
export async function deliveriesOf(
  client: TestClient,
  webhookId: string,
): Promise<Schemas['WebhookDeliveryWithAttempts'][]> {
  const deliveries = await listDeliveries(client, webhookId);
  return Promise.all(deliveries.map(({ id }) => getDelivery(client, webhookId, id)));
}

/** How many deliveries to a webhook are pending. */
export async function countPending(client: TestClient, webhookId: string): Promise<number> {
  const path = `/webhooks/${webhookId}/deliveries?status=pending&per_page=1`;
  const { body } = await client.get(path).expect(200);
  return body.meta.total;
}

/** Waits until the check returns a truthy value, at most this many seconds, and returns it. */
export async function until<T>(check: () => T | Promise<T>, seconds = 15): Promise<NonNullable<T>> {
  const start = Date.now();
  for (let waited = 0; waited < seconds * 1000; waited = Date.now() - start) {
    const found = await check();
    if (found) return found;
    // The longer it takes, the longer the pauses may be.
    await sleep(Math.min(15 + waited / 20, 250));
  }
  throw new Error(`This was not true within ${seconds} seconds: ${check}`);
}
