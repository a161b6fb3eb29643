/** Several replays may find the same deliveries. Each is over only when all that it found has been sent. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { takeDue } from '../../../src/deliveries/queries.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { runJobs } from '../../support/jobs.ts';
import { addEvents, getReplay, type Replay, startReplay } from '../../support/replays.ts';
import { make } from '../../support/resources.ts';
import { webhooks } from '../../support/webhooks.ts';

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
  await addEvents(app, 3);
});

afterAll(() => app.close());

async function runReplay(): Promise<Replay> {
  const replay = await startReplay(client, webhookId);
  await runJobs(app.production);
  return replay;
}

/** The state of each replay, and how many deliveries its filter lists. */
function statesOf(replays: readonly Replay[]) {
  return Promise.all(
    replays.map(async (replay) => {
      const { status, progress, deliveries } = await getReplay(client, replay);
      const path = `/webhooks/${webhookId}/deliveries?replay_id=${replay.id}`;
      const { meta } = (await client.get(path).expect(200)).body;
      return { status, created: progress.deliveries_created, ...deliveries, listed: meta.total };
    }),
  );
}

/** As the workers do when the receiver answers. */
const send = (count: number) =>
  app.production.knex.raw(
    `update webhook_deliveries set status = 'succeeded', next_attempt_at = null, leased_until = null
     where id in (select id from webhook_deliveries where status = 'pending' order by id limit ?)`,
    [count],
  );

describe('a delivery that several replays found pending', () => {
  it('counts for each of them, until it was sent', async () => {
    const replays = [await runReplay(), await runReplay(), await runReplay()];
    const waiting = { status: 'completed', pending: 3, succeeded: 0, failed: 0, listed: 3 };
    expect(await statesOf(replays)).toEqual([
      { ...waiting, created: 3 },
      { ...waiting, created: 0 },
      { ...waiting, created: 0 },
    ]);
    await send(1);
    for (const state of await statesOf(replays)) expect(state).toMatchObject({ pending: 2, succeeded: 1 });
    await send(2);
    for (const state of await statesOf(replays)) expect(state).toMatchObject({ pending: 0, succeeded: 3 });
    const listed = await client.get(`/webhooks/${webhookId}/replays`).expect(200);
    for (const { deliveries } of listed.body.data) expect(deliveries.succeeded).toBe(3);
  });

  it('counts while it is being sent, and keeps its time', async () => {
    const first = await runReplay();
    await takeDue(app.production.db, { perWebhook: 2, ofBusyWebhooks: new Map(), total: 2 });
    const times = () => app.production.knex('webhook_deliveries').orderBy('id').pluck('next_attempt_at');
    const before = await times();
    const second = await runReplay();
    expect(await times()).toEqual(before);
    for (const state of await statesOf([first, second]))
      expect(state).toMatchObject({ pending: 3, listed: 3 });
    expect((await getReplay(client, second)).progress.deliveries_hurried).toBe(0);
  });
});
