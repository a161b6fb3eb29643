import type { components } from '../../generated/api.ts';
import { startTestApp, type TestApp } from './app.ts';
import type { TestClient } from './client.ts';
import {
  Clock,
  deliveriesOf,
  listDeliveries,
  type Received,
  startReceiver,
  startTestWorker,
  subscribe,
  unsubscribe,
  until,
} from './deliveries.ts';

type Schemas = components['schemas'];
type Answer = [status: number, headers?: Record<string, string>, body?: string];

export interface Subscription {
  /** Public id of the webhook. */
  id: string;
  /** Its own path at the receiver. */
  path: string;
  secret: string;
  received(): Received[];
  deliveries(): Promise<Schemas['WebhookDeliveryWithAttempts'][]>;
  webhook(): Promise<Schemas['Webhook']>;
  /** Waits until that many attempts are recorded, and returns the received requests. */
  settled(attempts: number): Promise<Received[]>;
}

export interface Subscriptions {
  app: TestApp;
  client: TestClient;
  /** The worker's. */
  clock: Clock;
  /** Origin of the receiver. */
  url: string;
  /** The status and headers to answer with, by path. The default is 204. */
  answers: Map<string, Answer>;
  /** Subscribes with its own path, which answers like this. */
  subscribe(...answer: Answer | []): Promise<Subscription>;
  /** Deletes all webhooks, and resets the clock. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** The service, a worker with its own clock, and a receiver with many webhooks. */
export async function startSubscriptions(): Promise<Subscriptions> {
  const app = await startTestApp();
  const client = await app.client();
  const answers = new Map<string, Answer>();
  const receiver = await startReceiver(({ path }, res) => {
    const [status, headers, body] = answers.get(path) ?? [204];
    res.writeHead(status, headers).end(body);
  });
  const clock = new Clock();
  const worker = startTestWorker(app, { clock });
  let paths = 0;
  return {
    app,
    client,
    clock,
    url: receiver.url,
    answers,
    async subscribe(...answer: Answer | []) {
      paths += 1;
      const path = `/${paths}`;
      if (answer.length > 0) answers.set(path, answer as Answer);
      const { id, secret } = await subscribe(client, receiver.url + path);
      const received = () => receiver.received.filter((one) => one.path === path);
      return {
        id,
        path,
        secret,
        received,
        deliveries: () => deliveriesOf(client, id),
        webhook: async () => (await client.get(`/webhooks/${id}`).expect(200)).body.data,
        settled: async (attempts) => {
          await until(async () => {
            const counts = (await listDeliveries(client, id)).map(({ attempt_count }) => attempt_count);
            return counts.reduce((sum, count) => sum + count, 0) >= attempts;
          });
          return received();
        },
      };
    },
    async reset() {
      clock.reset();
      await unsubscribe(client);
    },
    async close() {
      await worker.stop(1_000);
      await receiver.close();
      await app.close();
    },
  };
}
