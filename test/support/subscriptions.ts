import { startTestApp, type TestApp } from './app.ts';
import type { TestClient } from './client.ts';
import {
  addWebhook,
  type DeliveryState,
  deliveriesOf,
  newWebhookSecret,
  type Received,
  startReceiver,
  startTestWorker,
  until,
} from './deliveries.ts';

type Answer = [status: number, headers?: Record<string, string>, body?: string];

interface Subscription {
  /** Uuid of the webhook. */
  id: string;
  /** Where it receives, which no other one does. */
  path: string;
  secret: string;
  received(): Received[];
  deliveries(): Promise<DeliveryState[]>;
  /** Its row. */
  webhook(): Promise<Record<string, unknown>>;
  update(assignments: string, values?: readonly (string | Buffer)[]): Promise<unknown>;
  /** Waits until so many attempts are written down; gives what has been received. */
  settled(attempts: number): Promise<Received[]>;
}

export interface Subscriptions {
  app: TestApp;
  client: TestClient;
  /** Origin of the receiver. */
  url: string;
  /** How it answers, by path; 204 when nothing is said. */
  answers: Map<string, Answer>;
  /** A webhook at a path of its own, which answers so. */
  subscribe(...answer: Answer | []): Promise<Subscription>;
  close(): Promise<void>;
}

/** The service, a worker, and a receiver with many webhooks. */
export async function startSubscriptions(): Promise<Subscriptions> {
  const app = await startTestApp();
  const { db } = app.production;
  const answers = new Map<string, Answer>();
  const receiver = await startReceiver(({ path }, res) => {
    const [status, headers, body] = answers.get(path) ?? [204];
    res.writeHead(status, headers).end(body);
  });
  const worker = await startTestWorker(app);
  let paths = 0;
  return {
    app,
    client: await app.client(),
    url: receiver.url,
    answers,
    async subscribe(...answer: Answer | []) {
      paths += 1;
      const path = `/${paths}`;
      if (answer.length > 0) answers.set(path, answer as Answer);
      const secret = newWebhookSecret();
      const id = await addWebhook(db, app.secretKey, receiver.url + path, secret);
      const received = () => receiver.received.filter((one) => one.path === path);
      const deliveries = () => deliveriesOf(db, id);
      return {
        id,
        path,
        secret,
        received,
        deliveries,
        webhook: async () => (await db.raw('select * from webhooks where id = ?', [id])).rows[0],
        update: (assignments, values = []) =>
          db.raw(`update webhooks set ${assignments} where id = ?`, [...values, id]),
        settled: async (attempts) => {
          await until(async () => {
            const counts = (await deliveries()).map(({ attempt_count }) => attempt_count);
            return counts.reduce((sum, count) => sum + count, 0) >= attempts;
          });
          return received();
        },
      };
    },
    async close() {
      await worker.stop(1_000);
      await receiver.close();
      await app.close();
    },
  };
}
