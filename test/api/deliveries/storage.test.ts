/** Storage of webhooks: a dead one doesn't fill the disk, and a live one loses nothing. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteSurplusDeliveries, disableOverfull } from '../../../src/deliveries/bound-storage.ts';
import { countPending, listDeliveries, until } from '../../support/deliveries.ts';
import { createLead } from '../../support/factories.ts';
import { runJobs } from '../../support/jobs.ts';
import { type Subscription, type Subscriptions, startSubscriptions } from '../../support/subscriptions.ts';
import { hoursAgo, uuidOf } from '../../support/webhooks.ts';

let scene: Subscriptions;
/** No attempt starts by itself. */
const later = { 'Retry-After': '3600' };
const limits = { dead: 3, any: 6 };

beforeAll(async () => {
  scene = await startSubscriptions();
});

afterAll(() => scene.close());

beforeEach(() => scene.reset());

/** A webhook whose receiver rejected that many events, the first one that many hours ago. */
async function failing(events: number, hours: number): Promise<Subscription> {
  const subscription = await scene.subscribe(500, later);
  for (let made = 0; made < events; made += 1) await createLead(scene.client);
  await subscription.settled(events);
  await scene.app.production
    .knex('webhooks')
    .where({ id: uuidOf(subscription.id) })
    .update({ first_failed_at: hoursAgo(hours).toISOString() });
  return subscription;
}

/** Deliveries straight in the table, each later than the one before. */
async function fill(id: string, status: string, count: number): Promise<void> {
  await scene.app.production.knex.raw(
    `insert into webhook_deliveries (webhook_id, event_id, event_type, resource_id, status, next_attempt_at, created_at)
     select ?, new_uuid(), 'lead.created', new_uuid(), ?, case when ? = 'pending' then now() + interval '1 day' end,
       now() - (? - n) * interval '1 millisecond'
     from generate_series(1, ?::int) n`,
    [uuidOf(id), status, status, count, count],
  );
}

const disable = (given?: typeof limits) => disableOverfull(scene.app.production.db, given);

describe('a webhook for which too many events are waiting', () => {
  it('is disabled if nothing was delivered for an hour; other webhooks get an event, and recovery delivers everything once', async () => {
    const witness = await scene.subscribe();
    const subscription = await failing(4, 1.1);
    await disable(limits);
    expect(await subscription.webhook()).toMatchObject({
      status: 'disabled',
      disabled_reason: 'More than 3 events are waiting, and none has been delivered for an hour.',
    });
    expect((await witness.settled(5)).at(-1)?.event.type).toBe('webhook.disabled');
    await createLead(scene.client);
    expect(await countPending(scene.client, subscription.id)).toBe(4);
    scene.answers.delete(subscription.path);
    await scene.client.patch(`/webhooks/${subscription.id}`, { status: 'enabled' }).expect(200);
    const { last_failing_since: from } = await subscription.webhook();
    const to = new Date().toISOString();
    const replay = { from, to, only_undelivered: true, event_types: ['lead.created'] };
    await scene.client.post(`/webhooks/${subscription.id}/replays`, replay).expect(202);
    await runJobs(scene.app.production);
    await subscription.settled(9);
    const brought = await listDeliveries(scene.client, subscription.id);
    expect(brought.map(({ status }) => status)).toEqual(Array(5).fill('succeeded'));
    expect(new Set(brought.map(({ event_id: id }) => id)).size).toBe(5);
  });

  it('stays enabled if it has failed for less than an hour, or works, or has fewer', async () => {
    const young = await failing(4, 0.9);
    const live = await scene.subscribe();
    await fill(live.id, 'pending', 4);
    const few = await failing(1, 1.1);
    await disable(limits);
    for (const subscription of [young, live, few]) {
      expect(await subscription.webhook()).toMatchObject({ status: 'enabled' });
    }
  });

  it('is always disabled beyond the larger limit, and shows where a replay should start', async () => {
    const live = await scene.subscribe();
    await fill(live.id, 'pending', 7);
    await disable(limits);
    expect(await live.webhook()).toMatchObject({
      status: 'disabled',
      disabled_reason: 'More than 6 events are waiting.',
      failing_since: expect.any(String),
    });
    expect(await countPending(scene.client, live.id)).toBe(7);
  });

  it('may have 100,000 by default', { timeout: 60_000 }, async () => {
    const subscription = await failing(1, 1.1);
    await fill(subscription.id, 'pending', 99_999);
    await disable();
    expect(await subscription.webhook()).toMatchObject({ status: 'enabled' });
    await fill(subscription.id, 'pending', 1);
    await disable();
    expect(await subscription.webhook()).toMatchObject({
      disabled_reason: 'More than 100,000 events are waiting, and none has been delivered for an hour.',
    });
  });
});

describe('the deliveries of a webhook that are finished', () => {
  it('are kept up to a number of each status, the latest', async () => {
    const { db } = scene.app.production;
    const full = await scene.subscribe();
    const other = await scene.subscribe();
    for (const status of ['pending', 'succeeded', 'failed']) await fill(full.id, status, 10);
    await fill(other.id, 'failed', 3);
    const before = await listDeliveries(scene.client, full.id);
    const kept = { succeeded: 4, failed: 3 };
    while ((await deleteSurplusDeliveries(db, 2, kept)) >= 2);
    const latest = (status: string, count: number) =>
      before.filter((delivery) => delivery.status === status).slice(-count);
    const ids = (deliveries: { id: string }[]) => deliveries.map(({ id }) => id).toSorted();
    expect(ids(await listDeliveries(scene.client, full.id))).toEqual(
      ids([...latest('pending', 10), ...latest('succeeded', 4), ...latest('failed', 3)]),
    );
    expect(await listDeliveries(scene.client, other.id)).toHaveLength(3);
  });
});

it("a receiver's response takes at most 2 KiB, even if it isn't text", async () => {
  const subscription = await scene.subscribe(500, later, Buffer.alloc(60_000, 0xff) as unknown as string);
  await createLead(scene.client);
  await subscription.settled(1);
  const [delivery] = await until(() => subscription.deliveries());
  const { response_body: body } = delivery?.attempts[0] ?? {};
  expect(Buffer.byteLength(body ?? '')).toBe(2_046);
  expect(body).toMatch(/^\uFFFD+$/);
});
