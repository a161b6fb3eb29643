import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { runJobs, runOnce } from '../../support/jobs.ts';
import { addEvents, getReplay, type Replay, startReplay } from '../../support/replays.ts';
import { expectRefusal, make } from '../../support/resources.ts';
import { dueDeliveries, webhooks } from '../../support/webhooks.ts';

let app: TestApp;
let client: TestClient;
let webhookId: string;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

beforeEach(async () => {
  await app.production.knex.raw('delete from webhooks; delete from webhook_deliveries; delete from events');
  webhookId = (await make(client, webhooks)).id;
});

afterAll(() => app.close());

const cancel = ({ webhook_id, id }: Replay, as = client) =>
  as.post(`/webhooks/${webhook_id}/replays/${id}/cancel`);

describe('POST /webhooks/{id}/replays/{replay_id}/cancel', () => {
  it('stops a replay before it has started, and allows another one', async () => {
    await addEvents(app, 3);
    const replay = await startReplay(client, webhookId);
    const { body } = await cancel(replay).expect(200);
    expect(body.data).toMatchObject({ id: replay.id, status: 'cancelled', started_at: null });
    expect(Date.parse(body.data.finished_at)).toBeGreaterThanOrEqual(Date.parse(replay.created_at));
    const next = await startReplay(client, webhookId);
    await runJobs(app.production);
    expect((await getReplay(client, next)).progress.deliveries_created).toBe(3);
    expect(await getReplay(client, replay)).toEqual(body.data);
  });

  it('keeps the deliveries that it has created', async () => {
    await addEvents(app, 1_100);
    const replay = await startReplay(client, webhookId);
    await runOnce(app.production);
    const { body } = await cancel(replay).expect(200);
    await runJobs(app.production);
    expect(body.data).toMatchObject({
      status: 'cancelled',
      progress: { deliveries_created: 1_000 },
      deliveries: { pending: 1_000 },
    });
    expect(await getReplay(client, replay)).toEqual(body.data);
    expect(await dueDeliveries(client, webhookId)).toHaveLength(100);
  });

  it('takes If-Match', async () => {
    await addEvents(app, 3);
    const replay = await startReplay(client, webhookId);
    await runJobs(app.production);
    const running = await startReplay(client, webhookId);
    const refused = await cancel(running, client.with({ 'If-Match': '"7"' })).expect(412);
    expect(refused.body.code).toBe('version_mismatch');
    expect((await getReplay(client, running)).status).toBe('queued');
    const current = client.with({ 'If-Match': `"${running.version}"` });
    const { body, headers } = await cancel(running, current).expect(200);
    expect(body.data).toMatchObject({ status: 'cancelled', version: running.version + 1 });
    expect(headers.etag).toBe(`"${body.data.version}"`);
    expect((await getReplay(client, replay)).version).toBeGreaterThan(replay.version);
  });

  it('can be repeated, with the same answer, and is done once per Idempotency-Key', async () => {
    const replay = await startReplay(client, webhookId);
    const keyed = client.with({ 'Idempotency-Key': randomUUID() });
    const { body } = await cancel(replay, keyed).expect(200);
    expect((await cancel(replay, keyed).expect('Idempotency-Replayed', 'true')).body).toEqual(body);
    expect((await cancel(replay).expect(200)).body).toEqual(body);
  });

  it('is refused once the replay has completed', async () => {
    const replay = await startReplay(client, webhookId);
    await runJobs(app.production);
    await expectRefusal(cancel(replay), { field: 'replay_id', code: 'wrong_replay_status' });
  });

  it('as a dry run leaves the replay as it is', async () => {
    const replay = await startReplay(client, webhookId);
    const { body } = await cancel(replay, client.with({ 'Dry-Run': 'true' })).expect(200);
    expect(body.data.status).toBe('cancelled');
    expect(await getReplay(client, replay)).toEqual(replay);
  });

  it('stops a replay of a paused webhook', async () => {
    const replay = await startReplay(client, webhookId);
    await client.patch(`/webhooks/${webhookId}`, { status: 'paused' }).expect(200);
    expect((await cancel(replay).expect(200)).body.data.status).toBe('cancelled');
  });

  it('waits for a running batch, ten at a time too, and counts what that batch did', async () => {
    await addEvents(app, 1_500);
    const replay = await startReplay(client, webhookId);
    const [, ...answers] = await Promise.all([
      runOnce(app.production),
      ...Array.from({ length: 10 }, () => cancel(replay)),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    await runJobs(app.production);
    const { status, progress, deliveries } = await getReplay(client, replay);
    expect(status).toBe('cancelled');
    expect([0, 1_000]).toContain(progress.deliveries_created);
    expect(deliveries.pending).toBe(progress.deliveries_created);
  });

  it('answers 404 for an unknown replay, and 403 without the scope webhooks:write', async () => {
    const replay = await startReplay(client, webhookId);
    const { body } = await cancel({ ...replay, id: 'replay_x' }).expect(404);
    expect(body.code).toBe('not_found');
    await cancel(replay, await app.client(['webhooks:read'])).expect(403);
  });
});
