/** Replays of past events to webhooks. */
import type { components } from '../../generated/api.ts';
import { newUuid } from '../../src/values/id.ts';
import type { TestApp } from './app.ts';
import type { TestClient } from './client.ts';
import { hoursAgo, insertPastEvents } from './webhooks.ts';

export type Replay = components['schemas']['WebhookReplay'];

/** From three hours ago to two hours ago. */
export const anHour = () => ({ from: hoursAgo(3).toISOString(), to: hoursAgo(2).toISOString() });

/** Events in the middle of that hour. Returns their public ids. */
export function addEvents({ production }: TestApp, count: number, type = 'lead.created'): Promise<string[]> {
  return insertPastEvents(production.knex, { type, at: hoursAgo(2.5), count, resourceId: newUuid() });
}

/** Requests a replay. */
export async function startReplay(
  client: TestClient,
  webhookId: string,
  body: object = anHour(),
): Promise<Replay> {
  const answer = await client.post(`/webhooks/${webhookId}/replays`, body).expect(202);
  return answer.body.data;
}

export async function getReplay(client: TestClient, { webhook_id, id }: Replay): Promise<Replay> {
  const { body } = await client.get(`/webhooks/${webhook_id}/replays/${id}`).expect(200);
  return body.data;
}
