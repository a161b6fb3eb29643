/** What docs/webhooks.md says about outages and pauses: nothing is lost, and nothing arrives twice. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HOUR } from '../../../src/values/time.ts';
import { countPending, until } from '../../support/deliveries.ts';
import { eventsOf } from '../../support/events.ts';
import { createLead } from '../../support/factories.ts';
import { runJobs } from '../../support/jobs.ts';
import { commandsOf, readPage } from '../../support/markdown.ts';
import { tour } from '../../support/newcomer.ts';
import { openShell } from '../../support/shell.ts';
import { type Subscription, type Subscriptions, startSubscriptions } from '../../support/subscriptions.ts';

let scene: Subscriptions;
const SECTION = 'Recover from an outage';
/** No attempt starts by itself. */
const later = { 'Retry-After': '3600' };

beforeAll(async () => {
  scene = await startSubscriptions();
});

afterAll(() => scene.close());

beforeEach(() => scene.reset());

async function newEvent() {
  const { id } = await createLead(scene.client);
  const [event] = await eventsOf(scene.client, id);
  if (event === undefined) throw new Error('The lead has no event.');
  return event;
}

const patch = ({ id }: Subscription, body: object) => scene.client.patch(`/webhooks/${id}`, body).expect(200);

/** Repairs the receiver, and pastes the commands of the chapter. */
async function recover(subscription: Subscription): Promise<void> {
  scene.answers.delete(subscription.path);
  const [definition = ''] = tour[0]?.text.split('\n') ?? [];
  const [steps] = commandsOf(readPage('docs/webhooks.md')).filter(({ section }) => section === SECTION);
  const shell = openShell(process.cwd(), {
    HOOK: `${scene.client.baseUrl}/webhooks/${subscription.id}`,
    AUTH: `Authorization: ${scene.client.headers.Authorization}`,
    JSON: 'Content-Type: application/json',
  });
  try {
    const pasted = await shell.paste(`${definition}\n${steps?.text}`);
    expect(pasted.output()).toContain('"id":"replay_');
  } finally {
    shell.close();
  }
  await runJobs(scene.app.production);
  await until(async () => (await countPending(scene.client, subscription.id)) === 0);
}

const today = () => new Date().toISOString().slice(0, 10);

/** The ids of the events that the receiver accepted, as often as it did. */
async function accepted(subscription: Subscription): Promise<string[]> {
  const deliveries = await subscription.deliveries();
  return deliveries
    .filter(({ status, event_type: type }) => status === 'succeeded' && type === 'lead.created')
    .map(({ event_id: id }) => id)
    .toSorted();
}

describe('after an outage', () => {
  it.each([false, true])(
    "the chapter's steps deliver everything once (after a failed attempt to recover: %s)",
    async (again) => {
      const subscription = await scene.subscribe();
      const before = await newEvent();
      await subscription.settled(1);
      scene.answers.set(subscription.path, [500, later]);
      const waiting = await newEvent();
      await subscription.settled(2);
      scene.answers.delete(subscription.path);
      const between = await newEvent();
      await subscription.settled(3);
      scene.answers.set(subscription.path, [500, later]);
      const first = await newEvent();
      await subscription.settled(4);
      scene.answers.set(subscription.path, [410]);
      const refused = await newEvent();
      await subscription.settled(5);
      const missed = [await newEvent(), await newEvent()];
      if (again) {
        await patch(subscription, { status: 'enabled' });
        missed.push(await newEvent());
        await subscription.settled(6);
        expect(await subscription.webhook()).toMatchObject({
          status: 'disabled',
          failing_since: first.occurred_at,
        });
        missed.push(await newEvent());
      }
      await scene.client.get(`/events/${refused.id}`).expect(200);
      scene.clock.advance({ seconds: 3_700 });
      await recover(subscription);
      const after = await newEvent();
      await until(async () => (await accepted(subscription)).includes(after.id));
      const all = [before, waiting, between, first, refused, ...missed, after];
      expect(await accepted(subscription)).toEqual(all.map(({ id }) => id).toSorted());
    },
  );

  it("the chapter's steps work while the webhook still fails, before it is disabled", async () => {
    const subscription = await scene.subscribe(500, later);
    const missed = [await newEvent(), await newEvent()];
    await subscription.settled(2);
    expect(await subscription.webhook()).toMatchObject({
      status: 'enabled',
      failing_since: missed[0]?.occurred_at,
      last_failing_since: null,
    });
    await recover(subscription);
    expect(await accepted(subscription)).toEqual(missed.map(({ id }) => id).toSorted());
  });

  it('failing_since is the time of the earliest event that failed, until one succeeds', async () => {
    const subscription = await scene.subscribe(500, later);
    const first = await newEvent();
    await newEvent();
    await subscription.settled(2);
    expect(await subscription.webhook()).toMatchObject({
      failing_since: first.occurred_at,
      last_failing_since: null,
    });
    scene.answers.delete(subscription.path);
    await newEvent();
    await subscription.settled(3);
    expect(await subscription.webhook()).toMatchObject({
      failing_since: null,
      last_failing_since: first.occurred_at,
    });
    scene.answers.set(subscription.path, [500, later]);
    const second = await newEvent();
    await subscription.settled(4);
    expect(await subscription.webhook()).toMatchObject({
      failing_since: second.occurred_at,
      last_failing_since: first.occurred_at,
    });
    const { body } = await patch(subscription, { url: `${scene.url}/elsewhere` });
    expect(body.data).toMatchObject({ failing_since: null, last_failing_since: second.occurred_at });
  });

  it('the 72 hours begin with the first failed attempt, not with the old event that it was for', async () => {
    const subscription = await scene.subscribe(500, later);
    await scene.app.production.knex.raw(
      `insert into events (id, type, occurred_at, request_id, actor_type, resource_id, object)
      select new_uuid(at), 'lead.created', at, 'test-request', 'system', new_uuid(), '{}'
      from generate_series(1, 20), (values (now() - interval '20 days')) as old (at)`,
    );
    const from = new Date(Date.now() - 21 * 24 * HOUR).toISOString();
    await scene.client.post(`/webhooks/${subscription.id}/replays`, { from, to: today() }).expect(202);
    await runJobs(scene.app.production);
    await subscription.settled(20);
    const webhook = await subscription.webhook();
    expect(webhook.status).toBe('enabled');
    expect(Date.now() - Date.parse(webhook.failing_since ?? '')).toBeGreaterThan(19 * 24 * HOUR);
  });

  it('deliveries that waited for a disabled webhook are sent once it is enabled', async () => {
    const subscription = await scene.subscribe(500, later);
    const waiting = await newEvent();
    await subscription.settled(1);
    scene.answers.set(subscription.path, [410]);
    await newEvent();
    await subscription.settled(2);
    scene.clock.advance({ hours: 2 });
    const witness = await scene.subscribe();
    await newEvent();
    await witness.settled(1);
    expect(subscription.received()).toHaveLength(2);
    scene.answers.delete(subscription.path);
    await patch(subscription, { status: 'enabled' });
    await subscription.settled(3);
    expect(await accepted(subscription)).toEqual([waiting.id]);
  });
});

describe('a pause', () => {
  it('keeps waiting deliveries and lets test events through', async () => {
    const subscription = await scene.subscribe(500, later);
    const waiting = await newEvent();
    await subscription.settled(1);
    await patch(subscription, { status: 'paused' });
    const kept = await newEvent();
    scene.answers.delete(subscription.path);
    scene.clock.advance({ hours: 2 });
    await scene.client.post(`/webhooks/${subscription.id}/test`).expect(202);
    await subscription.settled(2);
    expect(subscription.received().map(({ event }) => event.type)).toEqual(['lead.created', 'webhook.test']);
    expect(await countPending(scene.client, subscription.id)).toBe(2);
    await patch(subscription, { status: 'enabled' });
    await until(async () => (await countPending(scene.client, subscription.id)) === 0);
    expect(await accepted(subscription)).toEqual([waiting.id, kept.id].toSorted());
  });

  it('makes a replay wait', async () => {
    const missed = await newEvent();
    const subscription = await scene.subscribe();
    const { occurred_at: from } = missed;
    const replay = { from, to: today(), event_types: ['lead.created'], only_undelivered: true };
    await scene.client.post(`/webhooks/${subscription.id}/replays`, replay).expect(202);
    await patch(subscription, { status: 'paused' });
    await runJobs(scene.app.production);
    expect(await subscription.deliveries()).toEqual([]);
    await patch(subscription, { status: 'enabled' });
    await runJobs(scene.app.production);
    await subscription.settled(1);
    expect(await accepted(subscription)).toContain(missed.id);
  });
});
