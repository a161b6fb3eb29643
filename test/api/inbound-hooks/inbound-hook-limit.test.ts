import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
});

afterAll(() => app.close());

it('an environment can have at most 100 inbound hooks, even with concurrent requests', async () => {
  const client = await app.client();
  const create = () => client.post('/inbound-hooks', { name: 'Form' });
  const answers = await Promise.all(Array.from({ length: 105 }, create));
  const made = answers.filter(({ status }) => status === 201);
  expect(made).toHaveLength(100);
  const message = 'You already have 100 inbound hooks, the maximum. Delete one first.';
  expect((await create().expect(409)).body).toMatchObject({
    code: 'inbound_hook_limit_reached',
    message,
    errors: { inbound_hooks: [message] },
  });
  const sandbox = await app.client(undefined, 'sandbox');
  await sandbox.post('/inbound-hooks', { name: 'Form' }).expect(201);
  await client.delete(`/inbound-hooks/${made[0]?.body.data.id}`).expect(204);
  await create().expect(201);
});
