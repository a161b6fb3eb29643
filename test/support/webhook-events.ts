/** What webhooks get, when it happens and in a replay. */
import type { TestApp } from './app.ts';
import type { TestClient } from './client.ts';
import { listDeliveries } from './deliveries.ts';
import { runJobs } from './jobs.ts';

/** The types of the events that the webhook got, in alphabetical order. */
export async function typesFor(client: TestClient, { id }: { id: string }): Promise<string[]> {
  const deliveries = await listDeliveries(client, id);
  return deliveries.map(({ event_type }) => event_type).toSorted();
}

/** The same of those that a replay of today sends to the webhook. */
export async function replayedFor(
  { production }: TestApp,
  client: TestClient,
  { id }: { id: string },
  options: object = {},
): Promise<string[]> {
  await production.knex('webhook_deliveries').delete();
  const today = new Date().toISOString().slice(0, 10);
  // Both, in case the day ends during the test.
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  await client.post(`/webhooks/${id}/replays`, { from: yesterday, to: today, ...options }).expect(202);
  await runJobs(production);
  return typesFor(client, { id });
}
