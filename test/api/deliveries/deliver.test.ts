import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Received, verify } from '../../support/deliveries.ts';
import { readDocument } from '../../support/document.ts';
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
      last_success_at: expect.any(String),
      failing_since: null,
    });
  });

  it('has the headers that the document promises', async () => {
    const subscription = await scene.subscribe();
    await createLead(scene.client);
    const [one] = (await subscription.settled(1)) as [Received];
    const { parameters: all = [] } = readDocument().webhooks['lead.created']?.post ?? {};
    const parameters = all.filter(({ required }) => required);
    expect(parameters).toHaveLength(3);
    for (const { name, schema } of parameters)
      expect(one.headers[name], name).toMatch(new RegExp(schema.pattern ?? 'no pattern'));
  });

  it('is signed with both secrets while the one before is still good, then with the new one alone', async () => {
    const subscription = await scene.subscribe();
    const { secret: previous } = subscription;
    const { body } = await scene.client.post(`/webhooks/${subscription.id}/rotate-secret`).expect(200);
    const { secret } = body.data;
    scene.clock.advance({ hours: 23.9 });
    await createLead(scene.client);
    const [both] = (await subscription.settled(1)) as [Received];
    verify(both, secret, scene.clock.now());
    verify(both, previous, scene.clock.now());
    expect(both.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    scene.clock.advance({ hours: 0.2 });
    await createLead(scene.client);
    const [, one] = (await subscription.settled(2)) as [Received, Received];
    verify(one, secret, scene.clock.now());
    expect(() => verify(one, previous, scene.clock.now())).toThrow('No matching signature');
  });

  it('keeps 2 KiB of the answer, whatever bytes these are', async () => {
    const subscription = await scene.subscribe(200, {}, `\0${'é'.repeat(3000)}`);
    await createLead(scene.client);
    await subscription.settled(1);
    const [delivery] = await subscription.deliveries();
    expect(delivery?.attempts[0]?.response_body).toMatch(/^\uFFFDé{1022}$/);
  });

  it('ends quietly when its webhook is deleted during an attempt', async () => {
    const subscription = await scene.subscribe(500, later);
    await createLead(scene.client);
    await subscription.settled(1);
    const other = await scene.subscribe(500, later);
    await createLead(scene.client);
    await other.settled(1);
    await scene.client.delete(`/webhooks/${subscription.id}`).expect(204);
    scene.clock.advance({ hours: 1 });
    await other.settled(2);
    expect(subscription.received()).toHaveLength(2);
  });
});
