import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { eventsOf } from '../../support/events.ts';
import { notes } from '../../support/notes.ts';
import { expectRefusal, make } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client();
  await notes.prepare?.(app);
});

afterAll(() => app.close());

const { ownerId } = notes;

describe('PATCH /notes/{id}', () => {
  it('keeps its author when another client changes it', async () => {
    const own = await make(client, notes);
    const other = await app.client();
    const { body } = await other.patch(`/notes/${own.id}`, { pinned: true }).expect(200);
    expect(body.data).toMatchObject({ pinned: true, author: own.author, version: 2 });
    const events = await eventsOf(client, ownerId);
    expect(events.at(-1)?.actor).not.toEqual(events[0]?.actor);
  });

  it.each(['author', 'lead_id', 'contact_id'])('has a %s that a change cannot set', async (field) => {
    const own = await make(client, notes);
    await expectRefusal(client.patch(`/notes/${own.id}`, { [field]: ownerId }), { field });
  });
});
