import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Receiver, startReceiver, until } from '../support/deliveries.ts';
import { uniqueEmail } from '../support/factories.ts';
import {
  call,
  cleanUp,
  cliJson,
  type External,
  externalDatabases,
  getToken,
  type RunningServer,
  startServer,
  unlimited,
} from '../support/process.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

interface Service {
  external: External;
  server: RunningServer;
}

let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
});

afterAll(async () => {
  await cleanUp();
  await receiver.close();
});

async function start(poolSize: number): Promise<Service> {
  const external = await externalDatabases();
  const server = await startServer({
    ...external.env,
    ...unlimited,
    DATABASE_POOL_SIZE: String(poolSize),
    WEBHOOK_ALLOW_PRIVATE: 'true',
  });
  return { external, server };
}

/** All that a client does, on one connection. Whatever wanted a second one would wait for itself, and be told 503. */
async function journey({ external, server }: Service): Promise<void> {
  const base = `${server.url}/v1`;
  const token = await getToken(base, external.credentials);
  const send = async (method: string, path: string, body?: object, headers?: Record<string, string>) => {
    const answer = await call(token, method, base + path, body, headers);
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body as { data: { id: string; url: string; status: string; [field: string]: unknown } };
  };

  const from = new Date().toISOString();
  const path = `/${randomUUID()}`;
  const subscription = { url: receiver.url + path, event_types: ['lead.created'] };
  const webhook = (await send('POST', '/webhooks', subscription)).data;
  /** How often the webhook has been told of the lead. */
  const told = () =>
    receiver.received.filter((one) => one.path === path && one.event.data.object.id === id).length;

  const user = (await send('POST', '/users', { name: 'Grace', email: uniqueEmail() })).data;
  const lead = { name: 'Ada', email: uniqueEmail(), assigned_user_id: user.id };
  const key = { 'Idempotency-Key': randomUUID() };
  const { id } = (await send('POST', '/leads', lead, key)).data;
  expect((await send('POST', '/leads', lead, key)).data.id).toBe(id);
  await send('PATCH', `/leads/${id}`, { status: 'qualified' });
  expect((await call(token, 'POST', `${base}/leads`, lead)).status).toBe(422);
  for (const part of ['', '?search=ada', '?status=qualified', `/${id}`, `/${id}/events`]) {
    await send('GET', `/leads${part}`);
  }
  await send('POST', `/leads/${id}/convert`);
  const slug = `guide-${randomUUID()}`;
  const content = (await send('POST', '/content', { title: 'Guide', slug, type: 'article' })).data;
  await send('POST', `/content/${content.id}/publish`);
  for (const report of ['summary', 'funnel', 'timeseries', 'users'])
    await send('GET', `/analytics/${report}`);
  for (const list of ['/events', '/contacts', '/auth/me']) await send('GET', list);

  await until(() => told() === 1);
  await until(async () => {
    const { data } = await send('GET', `/webhooks/${webhook.id}/deliveries`);
    return (data as unknown as { status: string }[]).every(({ status }) => status === 'succeeded');
  });
  await send('POST', `/webhooks/${webhook.id}/test`);
  await send('POST', `/webhooks/${webhook.id}/replay`, { from, to: new Date().toISOString() });
  await until(() => told() === 2);

  const hook = (await send('POST', '/inbound-hooks', { name: 'Form' })).data;
  const payload = { name: 'Alan', email: uniqueEmail() };
  await send('POST', `/inbound-hooks/${hook.id}/preview`, { payload });
  expect((await send('POST', new URL(hook.url).pathname.replace('/v1', ''), payload)).data.status).toBe(
    'created',
  );
  expect((await send('POST', new URL(hook.url).pathname.replace('/v1', ''), {})).data.status).toBe(
    'rejected',
  );
  await send('GET', `/inbound-hooks/${hook.id}/deliveries`);
  await send('POST', `/webhooks/${webhook.id}/rotate-secret`);

  await send('POST', '/auth/revoke', { token, ...external.credentials });
  expect((await call(token, 'GET', `${base}/leads`)).status).toBe(401);
}

async function rotate({ external }: Service): Promise<void> {
  await cliJson(external.env, 'signing-keys', 'rotate', '--environment', 'production');
}

/** The statuses of so many requests at once for a token. */
async function askForTokens({ external, server }: Service, count: number): Promise<number[]> {
  const body = { grant_type: 'client_credentials', ...external.credentials };
  const asked = Array.from({ length: count }, () => call('', 'POST', `${server.url}/v1/auth/token`, body));
  return (await Promise.all(asked)).map(({ status }) => status);
}

describe.each([1, 10])('with a pool of %i', (size) => {
  let service: Service;

  beforeAll(async () => {
    service = await start(size);
  });

  it('the whole journey passes, by one client and by several at once', async () => {
    await journey(service);
    await Promise.all([1, 2, 3].map(() => journey(service)));
  });

  it('every one of 40 clients who ask at once gets a token right after a rotation', async () => {
    for (let round = 0; round < 3; round += 1) {
      await rotate(service);
      expect(await askForTokens(service, 40)).toEqual(Array(40).fill(200));
    }
  });

  it('the process ends by itself', async () => {
    expect(await service.server.stop()).toBe(0);
  });
});
