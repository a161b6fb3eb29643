import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newUuid, toId } from '../../../src/values/id.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { runJobs, runOnce } from '../../support/jobs.ts';
import { addEvents, anHour, getReplay, type Replay, startReplay } from '../../support/replays.ts';
import { make, users } from '../../support/resources.ts';
import { hoursAgo, insertDelivery, insertPastEvents, uuidOf, webhooks } from '../../support/webhooks.ts';

let app: TestApp;
let client: TestClient;
let webhookId: string;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client();
});

beforeEach(async () => {
  await app.production.knex.raw('delete from webhooks; delete from webhook_deliveries; delete from events');
  webhookId = (await make(client, webhooks)).id;
});

afterAll(() => app.close());

describe('GET /webhooks/{id}/replays/{replay_id}', () => {
  it('is where the Location of a new replay points to, and says who requested it', async () => {
    const user = await make(client, users);
    const { body, headers } = await client
      .with({ 'Acting-User': user.id })
      .post(`/webhooks/${webhookId}/replays`, anHour())
      .expect(202);
    const path = `/webhooks/${webhookId}/replays/${body.data.id}`;
    expect(headers.location).toMatch(new RegExp(`/v1${path}$`));
    const { body: read } = await client.get(path).expect(200);
    expect(read.data).toEqual(body.data);
    const { body: me } = await client.get('/auth/me').expect(200);
    expect(read.data.actor).toEqual({
      type: 'client',
      id: me.data.client_id,
      user_id: user.id,
      name: me.data.name,
      user_name: user.name,
    });
  });

  it('answers 304 until the version changes', async () => {
    const replay = await startReplay(client, webhookId);
    const path = `/webhooks/${webhookId}/replays/${replay.id}`;
    const known = client.with({ 'If-None-Match': `"${replay.version}"` });
    await known.get(path).expect(304);
    await runJobs(app.production);
    const { body, headers } = await known.get(path).expect(200);
    expect(body.data).toMatchObject({ status: 'completed', version: replay.version + 1 });
    expect(headers.etag).toBe(`"${body.data.version}"`);
  });

  it('shows the progress, batch by batch, and what became of the deliveries', async () => {
    const { knex } = app.production;
    await addEvents(app, 1_500);
    await addEvents(app, 5, 'webhook.test');
    const replay = await startReplay(client, webhookId);
    await runOnce(app.production);
    const running = await getReplay(client, replay);
    expect(running).toMatchObject({
      status: 'running',
      progress: { events_read: 1_000, deliveries_created: 1_000, deliveries_hurried: 0 },
      deliveries: { pending: 1_000, succeeded: 0, failed: 0 },
      finished_at: null,
    });
    expect(Date.parse(running.started_at ?? '')).toBeGreaterThanOrEqual(Date.parse(replay.created_at));
    await knex.raw(`update webhook_deliveries set status = 'succeeded', next_attempt_at = null
      where id in (select id from webhook_deliveries order by id limit 700)`);
    await runJobs(app.production);
    await knex.raw(`update webhook_deliveries set status = 'failed', next_attempt_at = null
      where id in (select id from webhook_deliveries where status = 'pending' order by id limit 100)`);
    const completed = await getReplay(client, replay);
    expect(completed).toMatchObject({
      status: 'completed',
      progress: { events_read: 1_505, deliveries_created: 1_500, deliveries_hurried: 0 },
      deliveries: { pending: 700, succeeded: 700, failed: 100 },
      started_at: running.started_at,
    });
    expect(Date.parse(completed.finished_at ?? '')).toBeGreaterThanOrEqual(
      Date.parse(running.started_at ?? ''),
    );
  });

  it('counts deliveries that it found pending, and those of them that it hurried', async () => {
    const { knex } = app.production;
    const resource_id = newUuid();
    const at = hoursAgo(2.5);
    const events = await insertPastEvents(knex, {
      type: 'lead.created',
      at,
      count: 4,
      resourceId: resource_id,
    });
    const add = (event: string | undefined, fields: object) =>
      insertDelivery(knex, webhookId, {
        event_id: uuidOf(event ?? ''),
        resource_id,
        status: 'pending',
        ...fields,
      });
    const due = await add(events[0], { next_attempt_at: hoursAgo(1).toISOString() });
    const waiting = await add(events[1], { attempt_count: 4, next_attempt_at: hoursAgo(-5).toISOString() });
    const sending = await add(events[2], { leased_until: hoursAgo(-1).toISOString() });
    const replay = await startReplay(client, webhookId);
    await runJobs(app.production);
    expect(await getReplay(client, replay)).toMatchObject({
      progress: { events_read: 4, deliveries_created: 1, deliveries_hurried: 1 },
      deliveries: { pending: 4, succeeded: 0, failed: 0 },
    });
    const path = `/webhooks/${webhookId}/deliveries?replay_id=${replay.id}`;
    const { body } = await client.get(path).expect(200);
    const ids = body.data.map(({ id }: { id: string }) => id);
    expect(ids).toHaveLength(4);
    expect(ids).toEqual(expect.arrayContaining([due, waiting, sending]));
  });

  it('counts each webhook’s own deliveries, and none after they were deleted', async () => {
    const other = (await make(client, webhooks)).id;
    await addEvents(app, 3);
    const replays = [await startReplay(client, webhookId), await startReplay(client, other)];
    await runJobs(app.production);
    await app.production.knex('webhook_deliveries').where('webhook_id', uuidOf(other)).delete();
    const [own, others] = [
      await getReplay(client, replays[0] as Replay),
      await getReplay(client, replays[1] as Replay),
    ];
    expect([own.deliveries.pending, others.deliveries.pending]).toEqual([3, 0]);
    expect(others.progress.deliveries_created).toBe(3);
  });

  it('answers 404 for an unknown replay, another webhook’s, and one of the other environment', async () => {
    const other = (await make(client, webhooks)).id;
    const { id } = await startReplay(client, webhookId);
    for (const path of [
      `/webhooks/${webhookId}/replays/replay_x`,
      `/webhooks/${webhookId}/replays/${toId('replay', newUuid())}`,
      `/webhooks/${webhookId}/replays/${id.replace('replay', 'delivery')}`,
      `/webhooks/${other}/replays/${id}`,
    ]) {
      const { body } = await client.get(path).expect(404);
      expect(body.code).toBe('not_found');
    }
    const sandbox = await app.client(undefined, 'sandbox');
    await sandbox.get(`/webhooks/${webhookId}/replays/${id}`).expect(404);
  });
});
