/** A client can read the log without what it has caused itself, so that two systems don't echo. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { latest } from '../../support/events.ts';
import { makeHook, sendIn } from '../../support/hooks.ts';
import { leads, make } from '../../support/resources.ts';

let app: TestApp;
let own: TestClient;
let other: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  own = await app.client(['read', 'write']);
  other = await app.client(['read', 'write']);
});

afterAll(() => app.close());

it('exclude_own leaves out the events of the client, and no others', async () => {
  const cursor = await latest(own);
  await make(own, leads);
  const foreign = await make(other, leads);
  await sendIn(app, await makeHook(own), { name: 'Ada', email: 'ada@example.com' });
  const read = async (as: TestClient, query: string) => {
    const { body } = await as.get(`/events?cursor=${cursor}&event_types=lead.created&${query}`).expect(200);
    return body;
  };
  const all = await read(own, 'exclude_own=false');
  expect(all.data).toHaveLength(3);
  const mine = await read(own, 'exclude_own=true');
  expect(mine.data.map(({ actor }: { actor: { type: string } }) => actor.type)).toEqual(['client', 'hook']);
  expect(mine.data[0].data.object.id).toBe(foreign.id);
  expect(mine.meta.next_cursor).toBe(all.meta.next_cursor);
  expect((await read(other, 'exclude_own=true')).data).toHaveLength(2);
});
