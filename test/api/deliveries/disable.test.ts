import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../support/deliveries.ts';
import { createLead } from '../../support/factories.ts';
import { type Subscriptions, startSubscriptions } from '../../support/subscriptions.ts';

let scene: Subscriptions;
/** No attempt starts by itself. */
const later = { 'Retry-After': '3600' };

beforeAll(async () => {
  scene = await startSubscriptions();
});

afterAll(() => scene.close());

beforeEach(() => scene.reset());

describe('a webhook is disabled', () => {
  it('at once by a 410, and the others are told', async () => {
    const witness = await scene.subscribe();
    const subscription = await scene.subscribe(410);
    await createLead(scene.client);
    await subscription.settled(1);
    expect(await subscription.deliveries()).toMatchObject([{ status: 'failed', attempt_count: 1 }]);
    const disabled_reason = 'The endpoint answered 410 Gone.';
    expect(await subscription.webhook()).toMatchObject({ status: 'disabled', disabled_reason, version: 2 });
    const [, told] = await witness.settled(2);
    expect(told?.event).toMatchObject({ type: 'webhook.disabled', data: { object: { disabled_reason } } });
    await scene.client.get(`/events/${told?.event.id}`).expect(200);
    await createLead(scene.client);
    await witness.settled(3);
    expect(subscription.received()).toHaveLength(1);
  });

  it('after 72 hours in which nothing but failures came of at least ten events', async () => {
    const witness = await scene.subscribe();
    const subscription = await scene.subscribe(500, later);
    for (let count = 1; count < 10; count += 1) await createLead(scene.client);
    await subscription.settled(9);
    scene.clock.advance({ hours: 73 });
    await subscription.settled(18);
    expect(await subscription.webhook()).toMatchObject({ status: 'enabled' });
    await createLead(scene.client);
    await subscription.settled(19);
    await until(async () => (await subscription.webhook()).status === 'disabled');
    expect(await subscription.webhook()).toMatchObject({
      disabled_reason: 'No success for 72 hours; the last attempt: status 500.',
    });
    expect((await witness.settled(11)).at(-1)?.event.type).toBe('webhook.disabled');
    expect((await subscription.deliveries()).map(({ status }) => status)).toEqual(Array(10).fill('pending'));
  });

  it('and what can not be found out of one holds up neither it nor the others', async () => {
    const { knex } = scene.app.production;
    const failing = await scene.subscribe(500, later);
    await createLead(scene.client);
    await failing.settled(1);
    const well = await scene.subscribe();
    // Nobody can be disabled during this.
    await knex.raw(`create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'not now'; end $$`);
    await knex.raw(`create trigger refuse before update of status on webhooks
      for each row when (new.status = 'disabled') execute function refuse()`);
    scene.clock.advance({ hours: 73 });
    for (let count = 1; count <= 12; count += 1) await createLead(scene.client);
    await failing.settled(14);
    await well.settled(12);
    const once = { status: 'pending', attempt_count: 1 };
    expect(await failing.deliveries()).toMatchObject([
      { ...once, attempt_count: 2 },
      ...Array(12).fill(once),
    ]);
    await knex.raw('drop function refuse cascade');
    await createLead(scene.client);
    await until(async () => (await failing.webhook()).status === 'disabled');
  });
});
