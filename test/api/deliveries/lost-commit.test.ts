/** The connection to PostgreSQL breaks between the COMMIT of a result and its response, so the result is recorded again. */
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import {
  deliveriesOf,
  listDeliveries,
  type Receiver,
  startReceiver,
  startTestWorker,
  subscribe,
  until,
} from '../../support/deliveries.ts';
import { createLead } from '../../support/factories.ts';
import { type Network, startNetwork } from '../../support/network.ts';

let network: Network;
let app: TestApp;
let client: TestClient;
let receiver: Receiver;
let stop: () => Promise<void>;
/** Answers the last request. */
let answer: (status: number) => void = () => {};
let status: number | undefined;

beforeAll(async () => {
  network = await startNetwork(inject('serverUrl'));
  app = await startTestApp({ network });
  client = await app.client();
  receiver = await startReceiver((_, res) => {
    answer = (status) => void res.writeHead(status).end();
    if (status !== undefined) answer(status);
  });
  const worker = startTestWorker(app);
  stop = () => worker.stop(1_000);
});

afterAll(async () => {
  await stop();
  await receiver.close();
  await app.close();
  await network.close();
});

const recorded = (webhook: string, event: number) =>
  until(async () => (await listDeliveries(client, webhook))[event]?.attempt_count);

it.each([
  [500, { status: 'pending' }],
  [204, { status: 'succeeded' }],
])('an attempt that is recorded twice counts once: %i', async (code, state) => {
  const { id } = await subscribe(client, receiver.url);
  const before = receiver.received.length;
  status = undefined;
  await createLead(client);
  await until(() => receiver.received.length === before + 1);
  network.loseCommit();
  answer(code);
  await recorded(id, 0);
  // Recorded together with the first attempt's repetition, or after it.
  status = 204;
  await createLead(client);
  await recorded(id, 1);
  const [delivery] = await deliveriesOf(client, id);
  expect(delivery).toMatchObject({ ...state, attempt_count: 1, attempts: [{ status_code: code }] });
  expect(delivery?.attempts).toHaveLength(1);
  if (code === 500) {
    const wait = Date.parse(delivery?.next_attempt_at ?? '') - Date.parse(delivery?.updated_at ?? '');
    expect(wait).toBeLessThan(6_000);
  }
  await client.delete(`/webhooks/${id}`).expect(204);
});

it('a 410 that is recorded twice does not disable a webhook that has been enabled again', async () => {
  const { id } = await subscribe(client, receiver.url);
  const before = receiver.received.length;
  status = undefined;
  await createLead(client);
  await until(() => receiver.received.length === before + 1);
  network.loseCommit();
  answer(410);
  await recorded(id, 0);
  await client.patch(`/webhooks/${id}`, { status: 'enabled' }).expect(200);
  status = 204;
  await createLead(client);
  await recorded(id, 1);
  expect((await client.get(`/webhooks/${id}`).expect(200)).body.data.status).toBe('enabled');
});
