import type { Response } from 'supertest';
import type { TestApp } from './app.ts';
import type { TestClient } from './client.ts';
import { runJobs } from './jobs.ts';
import { startReplay } from './replays.ts';
import { make } from './resources.ts';
import { webhooks } from './webhooks.ts';

interface Services {
  app: TestApp;
  client: TestClient;
}

const today = new Date().toISOString().slice(0, 10);

/** Causes each error of replays and tests of webhooks that the document shows as an example. */
export const replayCauses: Record<string, (services: Services) => PromiseLike<Response>> = {
  'event_id must be the id of an event of the last 90 days.': async ({ client }) => {
    const { id } = await make(client, webhooks);
    return client.post(`/webhooks/${id}/test`, { event_id: 'event_01m7w4n5e0e5w9fsgdq3y8x2s0' });
  },
  'status is paused; enable the webhook first.': async ({ client }) => {
    const { id } = await make(client, webhooks);
    await client.patch(`/webhooks/${id}`, { status: 'paused' }).expect(200);
    return client.post(`/webhooks/${id}/replays`, { from: today, to: today });
  },
  'from must be at most 90 days ago; older events are not kept.': async ({ client }) => {
    const { id } = await make(client, webhooks);
    return client.post(`/webhooks/${id}/replays`, { from: '2020-01-01', to: today });
  },
  'A replay of this webhook is still running. Wait until it has finished, or cancel it.': async ({
    client,
  }) => {
    const { id } = await make(client, webhooks);
    await client.post(`/webhooks/${id}/replays`, { from: today, to: today }).expect(202);
    return client.post(`/webhooks/${id}/replays`, { from: today, to: today });
  },
  "This replay can't be cancelled: it has already completed.": async ({ client, app }) => {
    const { id } = await make(client, webhooks);
    const replay = await startReplay(client, id);
    await runJobs(app.production);
    return client.post(`/webhooks/${id}/replays/${replay.id}/cancel`);
  },
};
