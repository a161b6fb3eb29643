import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { notes } from '../../support/notes.ts';
import { make } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client();
  await notes.prepare?.(app);
});

afterAll(() => app.close());

const { ownerId } = notes;
/** A new note about the lead. */
const note = (fields: object) => ({ lead_id: ownerId, ...fields });

describe('GET /notes/{id}', () => {
  it.each([
    ['leads:read', 200, 403],
    ['leads:write', 403, 201],
    ['contacts:read', 403, 403],
    ['contacts:write', 403, 403],
  ])('with the scope %s alone: a read is %i, a write %i', async (scope, reading, writing) => {
    const limited = await app.client([scope]);
    const own = await make(client, notes);
    const read = await limited.get(`/notes/${own.id}`).expect(reading);
    if (reading === 403) expect(read.body.required_scope).toBe('leads:read');
    const { body } = await limited.post('/notes', note({ text: 'x' })).expect(writing);
    if (writing === 403) expect(body.required_scope).toBe('leads:write');
    await limited.patch(`/notes/${own.id}`, { pinned: true }).expect(writing === 403 ? 403 : 200);
    await limited.delete(`/notes/${own.id}`).expect(writing === 403 ? 403 : 204);
  });
});
