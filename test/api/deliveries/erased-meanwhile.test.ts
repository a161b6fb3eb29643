/** An attempt in progress while the person it is about is erased. */
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Worker } from '../../../src/deliveries/worker.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import {
  deliveriesOf,
  type Receiver,
  startReceiver,
  startTestWorker,
  subscribe,
  unsubscribe,
  until,
} from '../../support/deliveries.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { uuidOf } from '../../support/webhooks.ts';

let app: TestApp;
let client: TestClient;
let worker: Worker;
let receiver: Receiver;
/** The receiver's pending responses, by type and resource of the event. */
const open = new Map<string, ServerResponse>();

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
  worker = startTestWorker(app);
  receiver = await startReceiver(
    ({ event }, res) => void open.set(`${event.type} ${event.data.object.id}`, res),
  );
});

afterAll(async () => {
  await worker.stop(1_000);
  await receiver.close();
  await app.close();
});

let webhook: string;

beforeEach(async () => {
  webhook = (await subscribe(client, receiver.url)).id;
});

afterEach(() => unsubscribe(client));

/** Makes the receiver answer with the person's name, and returns what was recorded of it. */
async function answerTo(event: string): Promise<string | null | undefined> {
  const res = await until(() => open.get(event));
  res.writeHead(500, { 'Retry-After': '3600' }).end('Hello Ada Lovelace');
  const attempt = await until(async () => {
    const deliveries = await deliveriesOf(client, webhook);
    return deliveries.flatMap(({ attempts }) => attempts)[0];
  });
  return attempt.response_body;
}

const owners = ['lead', 'contact'] as const;
const kinds = [...owners, 'user'] as const;
const path = (kind: (typeof kinds)[number]) => `/${kind}s`;
const make = async (kind: (typeof kinds)[number]): Promise<string> => {
  const { body } = await client.post(path(kind), { name: 'Ada Lovelace', email: uniqueEmail() }).expect(201);
  await until(() => open.get(`${kind}.created ${body.data.id}`));
  return body.data.id;
};

describe('what a receiver answers', () => {
  it.each(kinds)('of a %s that was deleted meanwhile is not noted down', async (kind) => {
    const id = await make(kind);
    await client.delete(`${path(kind)}/${id}`).expect(204);
    expect(await answerTo(`${kind}.created ${id}`)).toBeNull();
  });

  it.each(owners)('of a note about a %s that was deleted meanwhile is not noted down', async (kind) => {
    const id = await make(kind);
    const { body } = await client.post('/notes', { [`${kind}_id`]: id, text: 'Ada called.' }).expect(201);
    await until(() => open.get(`note.created ${body.data.id}`));
    await client.delete(`${path(kind)}/${id}`).expect(204);
    expect(await answerTo(`note.created ${body.data.id}`)).toBeNull();
  });

  it('of one that is just being deleted is not either, and waits for nobody', async () => {
    const id = await make('lead');
    await app.production.knex.transaction(async (trx) => {
      await trx('leads')
        .where({ id: uuidOf(id) })
        .delete();
      expect(await answerTo(`lead.created ${id}`)).toBeNull();
    });
  });

  it.each(kinds)('of a %s that stays is', async (kind) => {
    const id = await make(kind);
    expect(await answerTo(`${kind}.created ${id}`)).toBe('Hello Ada Lovelace');
  });

  it('to the news that the lead is deleted is', async () => {
    const id = await make('lead');
    await client.delete(`/leads/${id}`).expect(204);
    expect(await answerTo(`lead.deleted ${id}`)).toBe('Hello Ada Lovelace');
  });
});
