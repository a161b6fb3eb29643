/** Webhooks, receivers and workers as they are in production, on the loopback. */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import { encrypt } from '../../src/auth/secrets.ts';
import { newUuid } from '../../src/db/id.ts';
import type { Db } from '../../src/db/knex.ts';
import { createEnqueue } from '../../src/db/queue.ts';
import { createSender, type Sender } from '../../src/deliveries/send.ts';
import { startWorker, type Worker } from '../../src/deliveries/worker.ts';
import type { TestApp } from './app.ts';

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

/** A subscriber's server. It answers 204 unless told otherwise. */
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

export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** An enabled webhook for all events; gives its uuid. */
export async function addWebhook(
  db: Db,
  secretKey: Buffer,
  url: string,
  secret = newWebhookSecret(),
): Promise<string> {
  const id = newUuid();
  await db.raw('insert into webhooks (id, url, event_types, encrypted_secret) values (?, ?, ?, ?)', [
    id,
    url,
    ['*'],
    encrypt(secretKey, secret),
  ]);
  return id;
}

/** So many events like the last one, each with a delivery to every webhook, all at once. */
export async function addBacklog(db: Db, count: number): Promise<void> {
  const enqueue = createEnqueue(db);
  await db.transaction(async (trx) => {
    const { rows } = await trx.raw(
      `with model as (select * from events order by position desc limit 1), added as (
         insert into events (type, request_id, actor_type, actor_id, resource_id, object)
         select type, request_id, actor_type, actor_id, resource_id, object from model, generate_series(1, ?)
         returning id, type, resource_id
       )
       insert into webhook_deliveries (webhook_id, event_id, event_type, resource_id)
       select webhooks.id, added.id, added.type, added.resource_id from webhooks, added
       returning id, webhook_id`,
      [count],
    );
    await enqueue(trx, rows);
  });
}

/** What a subscriber does with the library. Throws when the signature is not right. */
export function verify({ headers, body }: Received, secret: string): void {
  new Webhook(secret).verify(body, headers);
}

/** A worker of the production environment. */
export async function startTestWorker(
  { production, databases, secretKey }: TestApp,
  sender: Sender = createSender({ allowPrivate: true }),
): Promise<Worker> {
  const worker = await startWorker({
    environment: 'production',
    db: production.db,
    databaseUrl: databases[0]?.url ?? '',
    secretKey,
    enqueueDeliveries: production.enqueueDeliveries,
    sender,
    random: () => 0.5,
    logger: pino({ level: 'silent' }),
  });
  return {
    async stop(timeout) {
      await worker.stop(timeout);
      sender.close();
    },
  };
}

export interface DeliveryState {
  status: string;
  attempt_count: number;
  next_attempt_at: Date | null;
  attempts: {
    number: number;
    status_code: number | null;
    error: string | null;
    response_body: string | null;
  }[];
}

/** The deliveries to a webhook, the oldest first. */
export async function deliveriesOf(db: Db, webhookId: string): Promise<DeliveryState[]> {
  const { rows } = await db.raw(
    `select status, attempt_count, next_attempt_at, (
       select coalesce(json_agg(a order by number), '[]') from webhook_attempts a where a.delivery_id = d.id
     ) as attempts
     from webhook_deliveries d where webhook_id = ? order by created_at, id`,
    [webhookId],
  );
  return rows;
}

/** Makes the time of all waiting attempts come. Workers look for them every second, or, as for first ones, at once. */
export async function makeDue(db: Db, when: 'soon' | 'at once' = 'soon'): Promise<void> {
  const priority = when === 'soon' ? 'priority' : 'greatest(priority, -1 - priority)';
  await db.raw(`update pgboss.job set start_after = now(), priority = ${priority} where state < 'active'`);
  if (when === 'at once') await db.raw('notify deliveries');
}

/** Half a minute goes by, in which workers have ended none of the jobs that they have. */
export async function endLeases(db: Db): Promise<void> {
  const earlier = (column: string) => `${column} = ${column} - interval '31 seconds'`;
  await db.raw(`update pgboss.job set ${earlier('started_on')} where state = 'active'`);
  await db.raw(`update pgboss.queue set ${earlier('monitor_claim_on')}`);
}

/** Waits, but not for ever, until the check holds; gives what it found. */
export async function until<T>(check: () => T | Promise<T>, seconds = 15): Promise<NonNullable<T>> {
  const end = Date.now() + seconds * 1000;
  while (Date.now() < end) {
    const found = await check();
    if (found) return found;
    await sleep(15);
  }
  throw new Error(`It has not come true within ${seconds} seconds: ${check}`);
}
