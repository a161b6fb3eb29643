import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeDue, verify } from '../../support/deliveries.ts';
import { createLead } from '../../support/factories.ts';
import { type Subscriptions, startSubscriptions } from '../../support/subscriptions.ts';

let scene: Subscriptions;

beforeAll(async () => {
  scene = await startSubscriptions();
});

afterAll(() => scene.close());

beforeEach(() => scene.app.production.db.raw('delete from webhooks'));

describe('a failed delivery', () => {
  it('is tried ten times over three days, each time signed afresh', async () => {
    const subscription = await scene.subscribe(500, {}, 'Sorry.');
    await createLead(scene.client);
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      await subscription.settled(attempt);
      const [delivery] = await subscription.deliveries();
      if (delivery?.next_attempt_at) waits.push((delivery.next_attempt_at.getTime() - Date.now()) / 1000);
      await makeDue(scene.app.production.db, 'at once');
    }
    const [MINUTE, HOUR] = [60, 3600];
    const expected = [5, 5 * MINUTE, 30 * MINUTE, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR)];
    expect(waits.map((wait, index) => Math.abs(wait - (expected[index] ?? 0)) < 5)).toEqual(
      expected.map(() => true),
    );
    const [delivery] = await subscription.deliveries();
    expect(delivery).toMatchObject({ status: 'failed', attempt_count: 10, next_attempt_at: null });
    expect(delivery?.attempts[9]).toMatchObject({ number: 10, status_code: 500, response_body: 'Sorry.' });
    expect((await scene.app.production.db.raw('select from pgboss.job')).rows).toEqual([]);
    const received = subscription.received();
    for (const one of received) verify(one, subscription.secret);
    expect(new Set(received.map(({ event }) => event.id)).size).toBe(1);
  });

  it('recovers, and so does its webhook', async () => {
    const subscription = await scene.subscribe(503);
    await createLead(scene.client);
    await subscription.settled(1);
    expect(await subscription.webhook()).toMatchObject({
      failing_since: expect.any(Date),
      last_success_at: null,
    });
    scene.answers.delete(subscription.path);
    await makeDue(scene.app.production.db);
    await subscription.settled(2);
    expect(await subscription.deliveries()).toMatchObject([{ status: 'succeeded', attempt_count: 2 }]);
    expect(await subscription.webhook()).toMatchObject({
      failing_since: null,
      last_success_at: expect.any(Date),
    });
  });

  it.each([
    ['in seconds', () => '3600', 3600],
    ['as a date', () => new Date(Date.now() + 3_600_000).toUTCString(), 3600],
    ['shorter than what is planned', () => '1', 5],
    ['of a year, of which a day is waited', () => '31536000', 24 * 3600],
    ['that means nothing', () => 'soon', 5],
  ])('heeds a Retry-After %s', async (_, retryAfter, seconds) => {
    const subscription = await scene.subscribe(503, { 'Retry-After': retryAfter() });
    await createLead(scene.client);
    await subscription.settled(1);
    const [delivery] = await subscription.deliveries();
    const wait = ((delivery?.next_attempt_at?.getTime() ?? 0) - Date.now()) / 1000;
    expect(wait).toBeGreaterThan(seconds - 5);
    expect(wait).toBeLessThanOrEqual(seconds + 1);
  });

  it('is not sent where a redirect points to', async () => {
    const elsewhere = await scene.subscribe();
    await elsewhere.update("status = 'paused'");
    const subscription = await scene.subscribe(302, { Location: scene.url + elsewhere.path });
    await createLead(scene.client);
    await subscription.settled(1);
    expect(await subscription.deliveries()).toMatchObject([
      { status: 'pending', attempts: [{ status_code: 302 }] },
    ]);
    expect(elsewhere.received()).toEqual([]);
  });
});
