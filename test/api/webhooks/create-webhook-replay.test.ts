import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { jobTask } from '../../../src/jobs/job-task.ts';
import { runInBackground } from '../../../src/process/background.ts';
import { newUuid, toId } from '../../../src/values/id.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { kinds, runJobs } from '../../support/jobs.ts';
import { make } from '../../support/resources.ts';
import {
  dueDeliveries,
  hoursAgo,
  insertDelivery,
  insertPastEvents,
  uuidOf,
  webhooks,
} from '../../support/webhooks.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

beforeEach(async () => {
  await app.production.knex.raw('delete from webhooks; delete from webhook_deliveries; delete from events');
});

afterAll(() => app.close());

const insertEvents = (type: string, at: Date, count = 1, resourceId = newUuid()) =>
  insertPastEvents(app.production.knex, { type, at, count, resourceId });

/** Runs all replays, as the workers do. */
async function work(): Promise<void> {
  await runJobs(app.production);
}

/** Requests a replay and runs it. */
async function replay(webhookId: string, body: object) {
  const { body: answer } = await client.post(`/webhooks/${webhookId}/replays`, body).expect(202);
  await work();
  return answer.data;
}

async function deliveredEvents(webhookId: string): Promise<string[]> {
  const path = `/webhooks/${webhookId}/deliveries?per_page=100&status=pending`;
  const { body } = await client.get(path).expect(200);
  // Deliveries of one statement have the same time, so their order is random.
  return body.data.map(({ event_id }: { event_id: string }) => event_id).toSorted();
}

const anHour = () => ({ from: hoursAgo(3).toISOString(), to: hoursAgo(2).toISOString() });

describe('POST /webhooks/{id}/replays', () => {
  it('queues the events of the period again, with the same ids', async () => {
    const { id } = await make(client, webhooks);
    await insertEvents('lead.created', hoursAgo(4));
    const first = await insertEvents('lead.created', hoursAgo(2.8), 2);
    const second = await insertEvents('user.deleted', hoursAgo(2.2));
    await insertEvents('lead.created', hoursAgo(1));
    const span = anHour();
    const answer = await replay(id, span);
    expect(answer).toMatchObject({
      ...span,
      webhook_id: id,
      status: 'queued',
      event_types: ['*'],
      only_failed: false,
      only_undelivered: false,
      progress: { events_read: 0, deliveries_created: 0, deliveries_hurried: 0 },
      deliveries: { pending: 0, succeeded: 0, failed: 0 },
      started_at: null,
      finished_at: null,
    });
    expect(await deliveredEvents(id)).toEqual([...first, ...second].toSorted());
    expect(await dueDeliveries(client, id)).toHaveLength(3);
  });

  it('treats dates as whole days, and ends at the time of the request at the latest', async () => {
    const { id } = await make(client, webhooks);
    const now = hoursAgo(0);
    const at = new Date(now.toISOString().slice(0, 10));
    const edge = await insertEvents('lead.created', at);
    await insertEvents('lead.created', new Date(at.getTime() - 1));
    const today = at.toISOString().slice(0, 10);
    const answer = await replay(id, { from: today, to: today });
    expect(answer.from).toBe(at.toISOString());
    expect(Date.parse(answer.to)).toBeGreaterThanOrEqual(now.getTime());
    expect(Date.parse(answer.to)).toBeLessThanOrEqual(Date.now());
    expect(await deliveredEvents(id)).toEqual(edge);
  });

  it('sends only types that the webhook subscribes to', async () => {
    const { id } = await make(client, webhooks, { event_types: ['lead.created'] });
    const wanted = await insertEvents('lead.created', hoursAgo(2.5));
    await insertEvents('lead.deleted', hoursAgo(2.5));
    expect((await replay(id, anHour())).event_types).toEqual(['lead.created']);
    expect(await deliveredEvents(id)).toEqual(wanted);
  });

  it('sends only the requested types', async () => {
    const { id } = await make(client, webhooks, { event_types: ['lead.created', 'lead.deleted'] });
    await insertEvents('lead.created', hoursAgo(2.5));
    const wanted = await insertEvents('lead.deleted', hoursAgo(2.5));
    await replay(id, { ...anHour(), event_types: ['lead.deleted'] });
    expect(await deliveredEvents(id)).toEqual(wanted);
  });

  it.each([
    ['only_failed', ['failed', 'twice']],
    ['only_undelivered', ['failed', 'twice', 'never']],
  ])('with %s sends the events that the receiver never got: %j', async (option, expected) => {
    const [{ id }, other] = [await make(client, webhooks), await make(client, webhooks)];
    const resource_id = newUuid();
    const names = ['failed', 'succeeded', 'both', 'twice', 'never'];
    const ids = await insertEvents('lead.created', hoursAgo(2.5), names.length, resource_id);
    const eventOf = (name: string) => ids[names.indexOf(name)] ?? '';
    for (const [name, to, ...statuses] of [
      ['failed', id, 'failed'],
      ['failed', other.id, 'succeeded'],
      ['succeeded', id, 'succeeded'],
      ['both', id, 'failed', 'succeeded'],
      ['twice', id, 'failed', 'failed'],
    ] as const) {
      for (const status of statuses) {
        const fields = { event_id: uuidOf(eventOf(name)), resource_id, status, next_attempt_at: null };
        await insertDelivery(app.production.knex, to, fields);
      }
    }
    const flags = { only_failed: false, only_undelivered: false, [option]: true };
    expect(await replay(id, { ...anHour(), [option]: true })).toMatchObject(flags);
    expect(await deliveredEvents(id)).toEqual(expected.map(eventOf).toSorted());
  });

  it.each([{}, { only_undelivered: true }, { only_failed: true }])(
    'sends events that wait for a retry immediately, and not twice: %j',
    async (options) => {
      const { id } = await make(client, webhooks);
      const resource_id = newUuid();
      const [event = ''] = await insertEvents('lead.created', hoursAgo(2.5), 1, resource_id);
      const waiting = await insertDelivery(app.production.knex, id, {
        event_id: uuidOf(event),
        resource_id,
        status: 'pending',
        attempt_count: 8,
        next_attempt_at: hoursAgo(-20).toISOString(),
      });
      await replay(id, { ...anHour(), ...options });
      expect(await dueDeliveries(client, id)).toEqual([waiting]);
      expect(await deliveredEvents(id)).toEqual([event]);
    },
  );

  it.each([0.6, 0.4])('includes an event at exactly its start and its end (%s ms)', async (fraction) => {
    const { id } = await make(client, webhooks);
    const at = hoursAgo(2.5);
    // The id contains the truncated millisecond; occurred_at is rounded.
    const { rows } = await app.production.knex.raw(
      `insert into events (id, type, occurred_at, request_id, actor_type, resource_id, object)
      select new_uuid(exact), 'lead.created', exact, 'test-request', 'system', new_uuid(), '{}'
      from (select :at::timestamptz + :fraction * interval '1 millisecond' as exact) as moment
      returning id, occurred_at`,
      { at, fraction },
    );
    const [{ id: event, occurred_at }] = rows;
    await replay(id, { from: occurred_at, to: occurred_at });
    expect(await deliveredEvents(id)).toEqual([toId('event', event)]);
  });

  it('leaves out events that are already due, and test events', async () => {
    const { id } = await make(client, webhooks);
    await insertEvents('lead.created', hoursAgo(2.5), 3);
    await insertEvents('webhook.test', hoursAgo(2.5), 1, uuidOf(id));
    await replay(id, anHour());
    await replay(id, anHour());
    expect(await deliveredEvents(id)).toHaveLength(3);
  });

  it('continues in batches, and waits while the receiver is behind', async () => {
    const { knex } = app.production;
    const { id } = await make(client, webhooks);
    await insertEvents('lead.created', hoursAgo(2.5), 3_500);
    await replay(id, anHour());
    const due = async () => (await knex('webhook_deliveries').where({ status: 'pending' })).length;
    expect(await due()).toBe(2_000);
    await knex('webhook_deliveries').update({ status: 'succeeded', next_attempt_at: null });
    await work();
    expect(await due()).toBe(1_500);
    const events = await knex('webhook_deliveries').distinct('event_id');
    expect(events).toHaveLength(3_500);
    await client.post(`/webhooks/${id}/replays`, anHour()).expect(202);
  });

  it('includes events that were being written when it was requested', async () => {
    const { knex } = app.production;
    const { id } = await make(client, webhooks);
    await knex.transaction(async (late) => {
      await late.raw(
        `insert into events (id, type, occurred_at, request_id, actor_type, resource_id, object)
        select new_uuid(:at::timestamptz), 'lead.created', :at::timestamptz, 'late', 'system', new_uuid(), '{}'`,
        { at: hoursAgo(2.5) },
      );
      await replay(id, anHour());
    });
    expect(await deliveredEvents(id)).toEqual([]);
    await work();
    expect(await deliveredEvents(id)).toHaveLength(1);
  });

  it('is run by the workers within seconds', async () => {
    const { id } = await make(client, webhooks);
    const events = await insertEvents('lead.created', hoursAgo(2.5), 2);
    const start = () => runInBackground([jobTask(kinds)], app.production, pino({ level: 'silent' }));
    const stops = [start(), start()];
    try {
      await client.post(`/webhooks/${id}/replays`, anHour()).expect(202);
      await vi.waitFor(async () => expect(await deliveredEvents(id)).toEqual(events), 10_000);
    } finally {
      await Promise.all(stops.map((stop) => stop()));
    }
  });

  it('ends when the webhook is deleted', async () => {
    const { id } = await make(client, webhooks);
    await insertEvents('lead.created', hoursAgo(2.5));
    await client.post(`/webhooks/${id}/replays`, anHour()).expect(202);
    await client.delete(`/webhooks/${id}`).expect(204);
    await work();
    expect(await app.production.knex('webhook_deliveries')).toEqual([]);
    expect(await app.production.knex('jobs')).toEqual([]);
  });

  it('runs once per Idempotency-Key', async () => {
    const { id } = await make(client, webhooks);
    await insertEvents('lead.created', hoursAgo(2.5));
    const keyed = client.with({ 'Idempotency-Key': randomUUID() });
    const request = anHour();
    const first = await keyed.post(`/webhooks/${id}/replays`, request).expect(202);
    await work();
    const second = await keyed
      .post(`/webhooks/${id}/replays`, request)
      .expect('Idempotency-Replayed', 'true');
    expect([second.status, second.body]).toEqual([202, first.body]);
    await work();
    expect(await deliveredEvents(id)).toHaveLength(1);
    const other = await keyed.post(`/webhooks/${id}/replays`, { ...request, only_failed: true }).expect(422);
    expect(other.body.code).toBe('idempotency_key_reused');
  });
});
