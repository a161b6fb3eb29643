import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toUuid } from '../../../src/values/id.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { notes } from '../../support/notes.ts';
import { leads, make, read } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client();
  await notes.prepare?.(app);
});

afterAll(() => app.close());

describe('DELETE /notes/{id}', () => {
  it('is deleted with its lead; other notes stay', async () => {
    const { id } = await make(client, leads);
    await client.post('/notes', { lead_id: id, text: 'x' }).expect(201);
    const kept = await make(client, notes);
    await client.delete(`/leads/${id}`).expect(204);
    const left = await app.production.knex('notes').where('lead_id', toUuid('lead', id) ?? '');
    expect(left).toEqual([]);
    expect(await read(client, notes, kept.id)).toEqual(kept);
  });
});
