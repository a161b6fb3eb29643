import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteOldJobs } from '../../../src/jobs/old-jobs-queries.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { runJobs } from '../../support/jobs.ts';
import { addEvents, getReplay, type Replay, startReplay } from '../../support/replays.ts';
import { make } from '../../support/resources.ts';
import { uuidOf, webhooks } from '../../support/webhooks.ts';

let app: TestApp;
let client: TestClient;
let webhookId: string;
let path: string;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

beforeEach(async () => {
  await app.production.knex.raw('delete from webhooks; delete from webhook_deliveries; delete from events');
  webhookId = (await make(client, webhooks)).id;
  path = `/webhooks/${webhookId}/replays`;
});

afterAll(() => app.close());

async function ended(): Promise<Replay> {
  const replay = await startReplay(client, webhookId);
  await runJobs(app.production);
  return replay;
}

describe('GET /webhooks/{id}/replays', () => {
  it("lists the webhook's own replays, the newest first, each as it is read alone", async () => {
    await addEvents(app, 2);
    const other = await make(client, webhooks);
    await startReplay(client, other.id);
    const made = [await ended(), await ended(), await startReplay(client, webhookId)];
    const { body } = await client.get(path).expect(200);
    expect(body.meta.total).toBe(3);
    expect(body.data.map(({ status }: Replay) => status)).toEqual(['queued', 'completed', 'completed']);
    for (const [index, replay] of made.toReversed().entries()) {
      expect(body.data[index]).toEqual(await getReplay(client, replay));
    }
  });

  it('filters by status, and continues by cursor', async () => {
    const made = [await ended(), await ended(), await ended()];
    const last = await startReplay(client, webhookId);
    const { body: waiting } = await client.get(`${path}?status=queued,running`).expect(200);
    expect(waiting.data.map(({ id }: Replay) => id)).toEqual([last.id]);
    const { body: first } = await client.get(`${path}?status=completed&per_page=2`).expect(200);
    const next = `${path}?status=completed&per_page=2&cursor=${first.meta.next_cursor}`;
    const { body: second } = await client.get(next).expect(200);
    const ids = [...first.data, ...second.data].map(({ id }: Replay) => id);
    expect(ids).toEqual(made.map(({ id }) => id).toReversed());
    await client.get(`${path}?status=done`).expect(400);
  });

  it('needs the scope webhooks:read', async () => {
    const stranger = await app.client(['leads:read']);
    const { body } = await stranger.get(path).expect(403);
    expect(body.required_scope).toBe('webhooks:read');
  });

  it('ends with replays of 30 days', async () => {
    const { knex } = app.production;
    const [old, kept] = [await ended(), await ended()];
    await knex('jobs')
      .where({ id: uuidOf(old.id) })
      .update({ finished_at: knex.raw(`now() - interval '31 days'`) });
    const running = await startReplay(client, webhookId);
    expect(await deleteOldJobs(app.production.db, new Date(), 100)).toBe(1);
    expect(await deleteOldJobs(app.production.db, new Date(), 100)).toBe(0);
    const { body } = await client.get(path).expect(200);
    expect(body.data.map(({ id }: Replay) => id)).toEqual([running.id, kept.id]);
  });
});
