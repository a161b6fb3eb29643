/** GET /events?wait= answers as soon as an event exists. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { type Event, latest, record, recordIn, testEvent } from '../../support/events.ts';
import { watchQueries } from '../../support/queries.ts';
import { leads, make, users } from '../../support/resources.ts';
import { openTransaction } from '../../support/transactions.ts';

let app: TestApp;
let beside: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  beside = await startTestApp({ beside: app });
  client = await app.client();
});

afterAll(async () => {
  await beside.close();
  await app.close();
});

interface Answer {
  status: number;
  objects: unknown[];
  cursor: string;
  hasMore: boolean;
  ms: number;
  /** What remains of the quota. */
  remaining: number;
}

async function ask(query: string, as = client): Promise<Answer> {
  const begin = performance.now();
  const { status, body, headers } = await as.get(`/events?${query}`);
  return {
    status,
    objects: (body.data as Event[] | undefined)?.map(({ data }) => data.object) ?? [],
    cursor: body.meta?.next_cursor,
    hasMore: body.meta?.has_more,
    ms: performance.now() - begin,
    remaining: Number(/r=(\d+)/.exec(headers.ratelimit ?? '')?.[1]),
  };
}

/** Starts to wait, and returns the pending response. */
async function wait(query: string, as = client): Promise<{ answer: Promise<Answer> }> {
  const answer = ask(query, as);
  const early = await Promise.race([answer, sleep(150)]);
  expect(early).toBeUndefined();
  return { answer };
}

describe('a client that waits for events', () => {
  it('gets one as soon as it is recorded, and then the next', async () => {
    let after = await latest(client);
    for (let round = 0; round < 3; round += 1) {
      const { answer } = await wait(`cursor=${after}&wait=30`);
      const begin = performance.now();
      const lead = await make(client, leads);
      const { status, objects, cursor, hasMore } = await answer;
      // Usually within milliseconds, and within a second without the notification.
      expect(performance.now() - begin).toBeLessThan(800);
      expect([status, objects, hasMore]).toEqual([200, [lead], false]);
      after = cursor;
    }
    expect((await ask(`cursor=${after}`)).objects).toEqual([]);
  });

  it('gets one that another process has recorded', async () => {
    const { answer } = await wait(`cursor=${await latest(client)}&wait=30`);
    const begin = performance.now();
    const lead = await make(client.at(`${beside.url}/v1`), leads);
    expect((await answer).objects).toEqual([lead]);
    expect(performance.now() - begin).toBeLessThan(800);
  });

  it('gets existing events immediately', async () => {
    const after = await latest(client);
    const [one, other] = [testEvent(), testEvent()];
    await record(app, one, other);
    const { objects, ms } = await ask(`cursor=${after}&wait=30&per_page=1`);
    expect(objects).toEqual([one.object]);
    expect(ms).toBeLessThan(5_000);
    expect((await ask('wait=30')).objects.length).toBeGreaterThan(0);
  });

  it('gets the first event after this moment with cursor=latest', async () => {
    await record(app, testEvent());
    const { answer } = await wait('cursor=latest&wait=30');
    const lead = await make(client, leads);
    expect((await answer).objects).toEqual([lead]);
  });

  it('gets an empty page when the time is over, whose cursor goes on', async () => {
    const after = await latest(client);
    const { status, objects, cursor, hasMore, ms } = await ask(`cursor=${after}&wait=1`);
    expect([status, objects, hasMore]).toEqual([200, [], false]);
    expect(ms).toBeGreaterThan(990);
    expect(ms).toBeLessThan(5_000);
    const lead = await make(client, leads);
    expect((await ask(`cursor=${cursor}&wait=30`)).objects).toEqual([lead]);
  });

  it('does not wait with wait=0', async () => {
    const after = await latest(client);
    expect((await ask(`cursor=${after}&wait=0`)).ms).toBeLessThan(5_000);
  });

  it('counts once in the rate limit', async () => {
    const after = await latest(client);
    const before = await ask(`cursor=${after}`);
    const { remaining } = await ask(`cursor=${after}&wait=1`);
    expect(remaining).toBe(before.remaining - 1);
  });

  it('is not kept from an event by an open transaction that began before, nor shown any twice', async () => {
    const after = await latest(client);
    const [early, late] = [testEvent(), testEvent()];
    const slow = await openTransaction(app.production.db);
    await recordIn(slow.db, early);
    await record(app, late);
    const { answer } = await wait(`cursor=${after}&wait=30`);
    await slow.commit();
    expect((await answer).objects).toEqual([early.object, late.object]);
  });

  it('gets the events behind a transaction that is rolled back without a notification', async () => {
    const { answer } = await wait(`cursor=${await latest(client)}&wait=30`);
    const slow = await openTransaction(app.production.db);
    await recordIn(slow.db, testEvent());
    const late = testEvent();
    await record(app, late);
    expect(await Promise.race([answer, sleep(300)])).toBeUndefined();
    await slow.rollback();
    expect((await answer).objects).toEqual([late.object]);
  });

  it('gets one whose notification is lost', async () => {
    const { answer } = await wait(`cursor=${await latest(client)}&wait=30`);
    await app.production.knex.raw(
      `insert into events (type, request_id, actor_type, resource_id, object)
       select type, request_id, actor_type, resource_id, object from events order by position desc limit 1`,
    );
    const { objects, ms } = await answer;
    expect(objects).toHaveLength(1);
    expect(ms).toBeLessThan(10_000);
  });
});

describe('a client that waits with a filter', () => {
  it.each([
    ['types', 'event_types=user.created,user.deleted'],
    ['the resource', 'resource_id='],
  ])('is woken only by matching events: %s', async (_, filter) => {
    const lead = await make(client, leads);
    const after = await latest(client);
    const query = filter.endsWith('=') ? filter + lead.id : filter;
    const { answer } = await wait(`cursor=${after}&wait=30&${query}`);
    const other = await make(client, leads);
    expect(await Promise.race([answer, sleep(300)])).toBeUndefined();
    const wanted = filter.endsWith('=')
      ? await client.patch(`/leads/${lead.id}`, { name: 'Grace' }).then(({ body }) => body.data)
      : await make(client, users);
    const { objects, cursor } = await answer;
    expect(objects).toEqual([wanted]);
    expect(objects).not.toContainEqual(other);
    expect((await ask(`cursor=${cursor}&${query}`)).objects).toEqual([]);
  });

  it('has the events that it did not want behind it when the time is over', async () => {
    const after = await latest(client);
    const { answer } = await wait(`cursor=${after}&wait=2&event_types=user.created`);
    await make(client, leads);
    const { objects, cursor } = await answer;
    expect(objects).toEqual([]);
    expect(cursor).not.toBe(after);
    expect((await ask(`cursor=${cursor}`)).objects).toEqual([]);
  });

  it('waits without a result for a malformed resource id', async () => {
    const { answer } = await wait(`cursor=${await latest(client)}&wait=1&resource_id=x`);
    await make(client, leads);
    expect((await answer).objects).toEqual([]);
  });
});

describe('many waiting clients', () => {
  it('get the same event, even if more wait than may read concurrently', async () => {
    const after = await latest(client);
    const waitFor = async (): Promise<unknown[]> => {
      const response = await fetch(`${client.baseUrl}/events?cursor=${after}&wait=30`, client);
      const { data } = (await response.json()) as { data: Event[] };
      if (response.status === 200) return data.map(({ data }) => data.object);
      // A busy machine may not serve so many in time, so they retry.
      expect(response.status).toBe(503);
      const retryAfter = Number(response.headers.get('Retry-After'));
      expect(retryAfter).toBeGreaterThan(0);
      await sleep(retryAfter * 1_000);
      return waitFor();
    };
    const asked = Array.from({ length: 700 }, waitFor);
    expect(await Promise.race([...asked, sleep(2_000)])).toBeUndefined();
    // They hold no connection and no slot.
    expect((await ask('per_page=500')).status).toBe(200);
    const lead = await make(client, leads);
    for (const objects of await Promise.all(asked)) expect(objects).toEqual([lead]);
  });

  it('query the database no more than one client does, and not at all once they have left', async () => {
    const { sent } = watchQueries(app);
    const after = await latest(client);
    const leaving = new AbortController();
    const asked = Array.from({ length: 50 }, () =>
      fetch(`${client.baseUrl}/events?cursor=${after}&wait=30`, { ...client, signal: leaving.signal }),
    );
    const left = Promise.allSettled(asked);
    const checksIn = async (ms: number) => {
      const before = sent.length;
      await sleep(ms);
      return sent.slice(before).filter((sql) => sql.includes('event_horizon')).length;
    };
    await sleep(500);
    const checks = await checksIn(2_200);
    expect(checks).toBeGreaterThan(0);
    expect(checks).toBeLessThanOrEqual(3);
    leaving.abort();
    expect((await left).every(({ status }) => status === 'rejected')).toBe(true);
    await sleep(300);
    expect(await checksIn(1_500)).toBe(0);
  });
});
