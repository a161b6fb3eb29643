/** A paused webhook loses nothing: its events wait. A disabled one gets none. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { disableOverfull } from '../../../src/deliveries/bound-storage.ts';
import { countPending, until } from '../../support/deliveries.ts';
import { createLead } from '../../support/factories.ts';
import { type Subscription, type Subscriptions, startSubscriptions } from '../../support/subscriptions.ts';

let scene: Subscriptions;

beforeAll(async () => {
  scene = await startSubscriptions();
});

afterAll(() => scene.close());

beforeEach(() => scene.reset());

const patch = ({ id }: Subscription, body: object) => scene.client.patch(`/webhooks/${id}`, body).expect(200);
const names = (subscription: Subscription) =>
  subscription.received().map(({ event }) => event.data.object.name);

async function createLeads(...leadNames: string[]): Promise<void> {
  for (const name of leadNames) await createLead(scene.client, { name });
}

describe('a paused webhook', () => {
  it('keeps the events of the pause, and sends each of them once when it is enabled, the oldest first', async () => {
    const subscription = await scene.subscribe();
    await createLeads('before');
    await subscription.settled(1);
    await patch(subscription, { status: 'paused' });
    await createLeads('first', 'second', 'third');
    // Its own events have gone out, so a worker has looked for deliveries.
    const witness = await scene.subscribe();
    await createLeads('fourth');
    await witness.settled(1);
    expect(names(subscription)).toEqual(['before']);
    expect(await countPending(scene.client, subscription.id)).toBe(4);
    await patch(subscription, { status: 'enabled' });
    await subscription.settled(5);
    await createLeads('after');
    await subscription.settled(6);
    expect(names(subscription).toSorted()).toEqual(['after', 'before', 'first', 'fourth', 'second', 'third']);
    expect(await subscription.webhook()).toMatchObject({ failing_since: null, last_failing_since: null });
  });

  it('collects only the events that it subscribes to', async () => {
    const subscription = await scene.subscribe();
    await patch(subscription, { status: 'paused', event_types: ['lead.deleted'] });
    const { id } = await createLead(scene.client);
    await scene.client.delete(`/leads/${id}`).expect(204);
    expect((await subscription.deliveries()).map(({ event_type: type }) => type)).toEqual(['lead.deleted']);
  });

  it('can be created, and be given its receiver later', async () => {
    const { body } = await scene.client
      .post('/webhooks', {
        url: 'https://example.com/later',
        event_types: ['lead.created'],
        status: 'paused',
      })
      .expect(201);
    await createLeads('early');
    const witness = await scene.subscribe();
    await patch({ id: body.data.id } as Subscription, {
      url: scene.url + witness.path,
      status: 'enabled',
    });
    await until(() => names(witness).includes('early'));
  });

  it('is disabled once too many events wait, after which it gets no more', async () => {
    const { db } = scene.app.production;
    const witness = await scene.subscribe();
    const subscription = await scene.subscribe(500, { 'Retry-After': '3600' });
    await createLeads('failing');
    await subscription.settled(1);
    await patch(subscription, { status: 'paused' });
    await createLeads('waiting', 'waiting');
    const before = new Date().toISOString();
    await disableOverfull(db, { dead: 1, any: 3 });
    expect(await subscription.webhook()).toMatchObject({ status: 'paused' });
    await disableOverfull(db, { dead: 1, any: 2 });
    expect(await subscription.webhook()).toMatchObject({
      status: 'disabled',
      disabled_reason: 'More than 2 events are waiting.',
    });
    expect((await witness.settled(4)).at(-1)?.event.type).toBe('webhook.disabled');
    await createLeads('missed');
    expect(await countPending(scene.client, subscription.id)).toBe(3);
    const { failing_since: since } = await subscription.webhook();
    expect(Date.parse(since ?? '')).toBeLessThanOrEqual(Date.parse(before));
  });
});
