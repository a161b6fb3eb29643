/** A replay from failing_since or last_failing_since misses nothing, in whatever order attempts are recorded. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { disableAndNotify } from '../../../src/deliveries/disable-failing.ts';
import { type AttemptOutcome, recordOutcomes } from '../../../src/deliveries/outcome-queries.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { getReplay, startReplay } from '../../support/replays.ts';
import { make } from '../../support/resources.ts';
import { hoursAgo, insertDelivery, uuidOf, webhooks } from '../../support/webhooks.ts';

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

type Status = AttemptOutcome['status'];

/** An attempt to deliver an event of that many hours ago. `pending` means that another attempt follows. */
async function attempt(status: Status, hours: number, type = 'lead.created'): Promise<AttemptOutcome> {
  const id = await insertDelivery(app.production.knex, webhookId, {
    status: 'pending',
    event_type: type,
    next_attempt_at: new Date().toISOString(),
  });
  return {
    delivery_id: uuidOf(id),
    attempt_count: 0,
    occurred_at: timeOf(hours),
    attempted_at: new Date().toISOString(),
    duration_ms: 1,
    status_code: status === 'succeeded' ? 204 : 500,
    error: null,
    response_body: null,
    status,
    next_attempt_in: status === 'pending' ? 3_600_000 : null,
  };
}

const base = Date.now();
const timeOf = (hours: number) => new Date(base - hours * 3_600_000).toISOString();

const recordAll = (outcomes: AttemptOutcome[], now?: Date) =>
  recordOutcomes(app.production.db, outcomes, now);

async function record(status: Status, hours: number, now?: Date): Promise<void> {
  await recordAll([await attempt(status, hours)], now);
}

const webhook = async () => (await client.get(`/webhooks/${webhookId}`).expect(200)).body.data;
const patch = (body: object) => client.patch(`/webhooks/${webhookId}`, body).expect(200);
const disable = () =>
  app.production.db.transaction((trx) => disableAndNotify(trx, uuidOf(webhookId), 'Down.'));

async function expectTimes(failing: number | null, last: number | null): Promise<void> {
  const { failing_since, last_failing_since } = await webhook();
  expect({ failing_since, last_failing_since }).toEqual({
    failing_since: failing === null ? null : timeOf(failing),
    last_failing_since: last === null ? null : timeOf(last),
  });
}

describe('failing_since', () => {
  it('is the earliest of what failed, in whatever order it is recorded, by twenty workers at a time', async () => {
    const hours = Array.from({ length: 20 }, (_, index) => ((index * 7) % 20) + 1);
    await Promise.all(hours.map((hour) => record('pending', hour)));
    await expectTimes(20, null);
  });

  it('includes what failed in the batch in which something else succeeded', async () => {
    await recordAll([await attempt('pending', 3), await attempt('succeeded', 1)]);
    await expectTimes(null, 3);
    await recordAll([await attempt('failed', 2), await attempt('succeeded', 1)]);
    await expectTimes(null, 2);
  });

  it('includes an attempt that is recorded after a later event succeeded', async () => {
    const late = await attempt('pending', 3);
    await record('pending', 2);
    await record('succeeded', 1);
    await recordAll([late]);
    await expectTimes(3, 2);
    await record('succeeded', 0.5);
    await expectTimes(null, 3);
  });

  it('is the same after the webhook was enabled again, or has another URL, until one succeeds', async () => {
    await record('pending', 5);
    await patch({ url: 'https://example.com/elsewhere' });
    await expectTimes(null, 5);
    await record('pending', 3);
    await expectTimes(5, 5);
    await disable();
    await patch({ status: 'enabled' });
    await expectTimes(null, 5);
    await record('pending', 2);
    await expectTimes(5, 5);
    await record('succeeded', 2);
    await expectTimes(null, 5);
  });

  it.each([-3, 3])('does not depend on the clock, which jumps by %s hours', async (jump) => {
    const now = hoursAgo(-jump);
    await record('pending', 5, now);
    await record('succeeded', 4);
    await expectTimes(null, 5);
    await record('pending', 2);
    await expectTimes(2, 5);
    await disable();
    await patch({ status: 'enabled' });
    await record('pending', 1, now);
    await expectTimes(2, 2);
    await record('succeeded', 1, now);
    await expectTimes(null, 2);
  });

  it('is the time of an old event if that is delivered again by hand in vain', async () => {
    await record('pending', 20 * 24);
    await expectTimes(20 * 24, null);
  });

  it('says nothing about test events of a paused webhook, but counts an attempt that was under way', async () => {
    const running = await attempt('pending', 3);
    await patch({ status: 'paused' });
    await recordAll([await attempt('pending', 4, 'webhook.test')]);
    await expectTimes(null, null);
    await recordAll([running]);
    await expectTimes(3, null);
    await recordAll([await attempt('succeeded', 2, 'webhook.test')]);
    await expectTimes(3, null);
    await patch({ status: 'enabled' });
    await expectTimes(null, 3);
  });
});

describe('what only a replay delivers', () => {
  const replay = (body: object = {}) =>
    startReplay(client, webhookId, { from: timeOf(48), to: hoursAgo(-1).toISOString(), ...body });

  it('is included in every later outage: an event that failed in its last attempt', async () => {
    await record('failed', 30);
    await record('succeeded', 29);
    await record('pending', 5);
    await expectTimes(30, 30);
    await record('succeeded', 4);
    await expectTimes(null, 30);
  });

  it('is included too: what happened while the webhook was disabled', async () => {
    await record('pending', 30);
    const running = await attempt('succeeded', 29);
    await disable();
    await recordAll([running]);
    await expectTimes(null, 30);
    await patch({ status: 'enabled' });
    await record('succeeded', 20);
    await record('pending', 5);
    await expectTimes(30, 30);
  });

  it('is no longer included once a replay sends it', async () => {
    await record('failed', 30);
    await record('succeeded', 29);
    await replay({ only_undelivered: true });
    await expectTimes(null, 30);
    await record('pending', 5);
    await expectTimes(5, 30);
    await record('succeeded', 5);
    await expectTimes(null, 5);
  });

  it.each([
    [{ from: timeOf(29) }],
    [{ to: hoursAgo(1).toISOString() }],
    [{ only_failed: true }],
    [{ event_types: ['lead.created'] }],
  ])('stays included if the replay does not send all of it: %j', async (body) => {
    await record('failed', 30);
    await record('succeeded', 29);
    await replay(body);
    await record('pending', 5);
    await expectTimes(30, 30);
  });

  it('is included again if the replay is cancelled, ten times at once', async () => {
    await record('failed', 30);
    await record('succeeded', 29);
    const { id } = await replay();
    const path = `/webhooks/${webhookId}/replays/${id}/cancel`;
    await Promise.all(Array.from({ length: 10 }, () => client.post(path).expect(200)));
    await record('pending', 5);
    await expectTimes(30, 30);
    const next = await replay();
    expect((await getReplay(client, next)).status).toBe('queued');
  });

  it('is not included after 30 days, for which deliveries are kept', async () => {
    await record('failed', 31 * 24);
    await record('succeeded', 29);
    await record('pending', 5);
    await expectTimes(5, 31 * 24);
  });
});

describe('the event webhook.disabled', () => {
  it('has failing_since, with the event that began the failure', async () => {
    await record('pending', 8);
    await record('pending', 6);
    await disable();
    const { body } = await client.get('/events?event_types=webhook.disabled').expect(200);
    expect(body.data.at(-1).data.object).toMatchObject({ id: webhookId, failing_since: timeOf(8) });
    await patch({ status: 'enabled' });
    await expectTimes(null, 8);
  });
});
