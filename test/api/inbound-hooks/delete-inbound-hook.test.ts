import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { formInput, leadsOf, makeHook, send, sendIn } from '../../support/hooks.ts';
import { content, expectRefusal, make, users } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

describe('DELETE /inbound-hooks/{id}', () => {
  it('disables the address immediately and keeps the leads', async () => {
    const hook = await makeHook(client);
    const form = formInput();
    await sendIn(app, hook, form);
    await client.delete(hook.path).expect(204);
    await send(app, hook, formInput()).expect(404);
    await client.get(`${hook.path}/deliveries`).expect(404);
    expect(await leadsOf(client, form.email)).toHaveLength(1);
  });

  it.each([
    { resource: users, field: 'assigned_user_id', code: 'user_in_use' },
    { resource: content, field: 'content_id', code: 'content_in_use' },
  ])('releases its references: $resource.path', async ({ resource, field, code }) => {
    const { id } = await make<{ id: string }>(client, resource);
    const hook = await makeHook(client, { [field]: id });
    await expectRefusal(client.delete(`${resource.path}/${id}`), { field: 'id', code });
    await client.delete(hook.path).expect(204);
    await client.delete(`${resource.path}/${id}`).expect(204);
  });
});
