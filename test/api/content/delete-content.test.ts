import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { makeHook } from '../../support/hooks.ts';
import { content, expectRefusal, leads, make, read } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

describe('DELETE /content/{id}', () => {
  it('is refused while leads point at it, whatever its status', async () => {
    const { id } = await make(client, content);
    const lead = await make(client, leads, { content_id: id });
    for (const action of ['publish', 'archive']) {
      await client.post(`/content/${id}/${action}`).expect(200);
      await expectRefusal(client.delete(`/content/${id}`), { field: 'id', code: 'content_in_use' });
    }
    expect((await read(client, leads, lead.id)).content_id).toBe(id);
    await client.delete(`/leads/${lead.id}`).expect(204);
    await client.delete(`/content/${id}`).expect(204);
  });

  it('is refused while an inbound hook points at it', async () => {
    const { id } = await make(client, content);
    const hook = await makeHook(client, { content_id: id });
    await expectRefusal(client.delete(`/content/${id}`), { field: 'id', code: 'content_in_use' });
    await client.delete(hook.path).expect(204);
    await client.delete(`/content/${id}`).expect(204);
  });

  it('never leaves a lead with deleted content when both requests race', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id } = await make(client, content);
      const [made, deleted] = await Promise.all([
        client.post('/leads', { ...leads.input(), content_id: id }),
        client.delete(`/content/${id}`),
      ]);
      const loser = made.status === 201 ? deleted : made;
      expect([
        [201, 409, 'content_in_use', 'id'],
        [422, 204, 'validation_failed', 'content_id'],
      ]).toContainEqual([made.status, deleted.status, loser.body.code, ...Object.keys(loser.body.errors)]);
    }
  });
});
