import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DELIVERIES } from '../../../src/events/channels.ts';
import { verify } from '../../support/deliveries.ts';
import { createLead } from '../../support/factories.ts';
import { type Subscription, type Subscriptions, startSubscriptions } from '../../support/subscriptions.ts';

let scene: Subscriptions;

beforeAll(async () => {
  scene = await startSubscriptions();
});

afterAll(() => scene.close());

beforeEach(() => scene.reset());

/** The seconds between the attempts at a new event, until there is no next one. */
async function waitsOf(subscription: Subscription): Promise<number[]> {
  await createLead(scene.client);
  const waits: number[] = [];
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    await subscription.settled(attempt);
    const [delivery] = await subscription.deliveries();
    if (!delivery?.next_attempt_at) break;
    const wait = (Date.parse(delivery.next_attempt_at) - scene.clock.now().getTime()) / 1000;
    waits.push(wait);
    scene.clock.advance({ seconds: wait });
    // The worker need not wait for its next poll.
    await scene.app.production.knex.raw(`notify ${DELIVERIES}`);
  }
  return waits;
}

/** As in the sandbox. The workers of production are the same. */
async function subscribeFast(...answer: [status: number, headers?: Record<string, string>]) {
  const subscription = await scene.subscribe(...answer);
  await scene.app.production.knex('webhooks').update({ retry_schedule: 'fast' });
  return subscription;
}

describe('a failed delivery', () => {
  it('is tried ten times over three days, each time signed afresh', async () => {
    const subscription = await scene.subscribe(500, {}, 'Sorry.');
    const waits = await waitsOf(subscription);
    const [MINUTE, HOUR] = [60, 3600];
    const expected = [5, 5 * MINUTE, 30 * MINUTE, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR)];
    expect(waits.map((wait, index) => Math.abs(wait - (expected[index] ?? 0)) < 5)).toEqual(
      expected.map(() => true),
    );
    const [delivery] = await subscription.deliveries();
    expect(delivery).toMatchObject({ status: 'failed', attempt_count: 10, next_attempt_at: null });
    expect(delivery?.attempts[9]).toMatchObject({ number: 10, status_code: 500, response_body: 'Sorry.' });
    scene.clock.advance({ hours: 100 });
    const witness = await scene.subscribe();
    await createLead(scene.client);
    await witness.settled(1);
    const received = subscription.received().slice(0, 10);
    expect(await subscription.deliveries()).toMatchObject([{ attempt_count: 10 }, {}]);
    for (const [index, one] of received.entries()) {
      verify(one, subscription.secret, new Date(delivery?.attempts[index]?.attempted_at ?? ''));
    }
    expect(new Set(received.map(({ event }) => event.id)).size).toBe(1);
  });

  it('is tried ten times within a minute on the fast schedule', async () => {
    const waits = await waitsOf(await subscribeFast(500));
    const expected = [1, 2, 3, 5, 7, 8, 10, 12, 12];
    expect(waits.map((wait, index) => Math.abs(wait - (expected[index] ?? 0)) < 1.5)).toEqual(
      expected.map(() => true),
    );
  });

  it('waits at most 12 seconds on the fast schedule, whatever Retry-After says', async () => {
    const waits = await waitsOf(await subscribeFast(503, { 'Retry-After': '3600' }));
    expect(waits.map((wait) => wait > 10.7 && wait < 13.3)).toEqual(waits.map(() => true));
    expect(waits).toHaveLength(9);
  });

  it('recovers, and so does its webhook', async () => {
    const subscription = await scene.subscribe(503);
    await createLead(scene.client);
    await subscription.settled(1);
    expect(await subscription.webhook()).toMatchObject({
      failing_since: expect.any(String),
      last_success_at: null,
    });
    scene.answers.delete(subscription.path);
    scene.clock.advance({ seconds: 6 });
    await subscription.settled(2);
    expect(await subscription.deliveries()).toMatchObject([{ status: 'succeeded', attempt_count: 2 }]);
    expect(await subscription.webhook()).toMatchObject({
      failing_since: null,
      last_success_at: expect.any(String),
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
    const wait = (Date.parse(delivery?.next_attempt_at ?? '') - Date.now()) / 1000;
    expect(wait).toBeGreaterThan(seconds - 5);
    expect(wait).toBeLessThanOrEqual(seconds + 1);
  });

  it('is not sent where a redirect points to', async () => {
    const elsewhere = await scene.subscribe();
    await scene.client.patch(`/webhooks/${elsewhere.id}`, { status: 'paused' }).expect(200);
    const subscription = await scene.subscribe(302, { Location: scene.url + elsewhere.path });
    await createLead(scene.client);
    await subscription.settled(1);
    expect(await subscription.deliveries()).toMatchObject([
      { status: 'pending', attempts: [{ status_code: 302 }] },
    ]);
    expect(elsewhere.received()).toEqual([]);
  });
});
