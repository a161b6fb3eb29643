import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { encrypt } from '../../../src/auth/secrets.ts';
import { makeDue, newWebhookSecret, type Received, until, verify } from '../../support/deliveries.ts';
import { createLead } from '../../support/factories.ts';
import { type Subscriptions, startSubscriptions } from '../../support/subscriptions.ts';

let scene: Subscriptions;
/** No attempt comes of itself. */
const later = { 'Retry-After': '3600' };

beforeAll(async () => {
  scene = await startSubscriptions();
});

afterAll(() => scene.close());

beforeEach(() => scene.app.production.db.raw('delete from webhooks'));

describe('a delivery', () => {
  it('is the event, signed so that the subscriber can prove who sent it', async () => {
    const subscription = await scene.subscribe();
    const lead = await createLead(scene.client, { name: 'Zoë \u{1F680}' });
    const [one] = (await subscription.settled(1)) as [Received];
    verify(one, subscription.secret);
    expect(() => verify({ ...one, body: `${one.body} ` }, subscription.secret)).toThrow(
      'No matching signature',
    );
    expect(one.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'webhook-id': one.event.id,
    });
    const { body } = await scene.client.get(`/events/${one.event.id}`).expect(200);
    expect(one.event).toEqual(body.data);
    expect(one.event.data.object).toEqual(lead);
    expect(await subscription.deliveries()).toMatchObject([
      {
        status: 'succeeded',
        attempt_count: 1,
        next_attempt_at: null,
        attempts: [{ number: 1, status_code: 204 }],
      },
    ]);
    expect(await subscription.webhook()).toMatchObject({
      last_success_at: expect.any(Date),
      failing_since: null,
    });
  });

  it('is signed with both secrets while the one before is still good, then with the new one alone', async () => {
    const subscription = await scene.subscribe();
    const previous = newWebhookSecret();
    const setPrevious = (expiry: string) =>
      subscription.update(`encrypted_previous_secret = ?, previous_secret_expires_at = ${expiry}`, [
        encrypt(scene.app.secretKey, previous),
      ]);
    await setPrevious("now() + interval '1 minute'");
    await createLead(scene.client);
    const [both] = (await subscription.settled(1)) as [Received];
    verify(both, subscription.secret);
    verify(both, previous);
    expect(both.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    await setPrevious("now() - interval '1 second'");
    await createLead(scene.client);
    const [, one] = (await subscription.settled(2)) as [Received, Received];
    verify(one, subscription.secret);
    expect(() => verify(one, previous)).toThrow('No matching signature');
  });

  it('keeps 2 KiB of the answer, whatever bytes these are', async () => {
    const subscription = await scene.subscribe(200, {}, `\0${'é'.repeat(3000)}`);
    await createLead(scene.client);
    await subscription.settled(1);
    const [delivery] = await subscription.deliveries();
    expect(delivery?.attempts[0]?.response_body).toMatch(/^\uFFFDé{1023}\uFFFD$/);
  });

  it('is not made to a webhook that was paused meanwhile', async () => {
    const subscription = await scene.subscribe(500, later);
    await createLead(scene.client);
    await subscription.settled(1);
    await subscription.update("status = 'paused'");
    await makeDue(scene.app.production.db);
    expect(await subscription.settled(2)).toHaveLength(1);
    const [delivery] = await subscription.deliveries();
    expect(delivery).toMatchObject({ status: 'failed', next_attempt_at: null });
    expect(delivery?.attempts[1]).toMatchObject({
      status_code: null,
      error: 'Not sent: the webhook is paused.',
    });
  });

  it('ends quietly when its webhook is deleted meanwhile', async () => {
    const subscription = await scene.subscribe(500, later);
    await createLead(scene.client);
    await subscription.settled(1);
    await scene.app.production.db.raw('delete from webhooks where id = ?', [subscription.id]);
    await makeDue(scene.app.production.db);
    await until(async () => (await scene.app.production.db.raw('select from pgboss.job')).rows.length === 0);
    expect(subscription.received()).toHaveLength(1);
  });
});
