import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type Receiver, until } from './deliveries.ts';
import { uniqueEmail } from './factories.ts';
import { call, type External, getToken } from './process.ts';

export interface Journey {
  /** Origin of the service. */
  url: string;
  credentials: External['credentials'];
  /** For webhooks. */
  receiver: Receiver;
}

/** Does everything that a client can do. */
export async function journey({ url, credentials, receiver }: Journey): Promise<void> {
  const base = `${url}/v1`;
  const token = await getToken(base, credentials);
  const send = async (method: string, path: string, body?: object, headers?: Record<string, string>) => {
    const answer = await call(token, method, base + path, body, headers);
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body as { data: { id: string; url: string; status: string; [field: string]: unknown } };
  };

  const from = new Date().toISOString();
  const path = `/${randomUUID()}`;
  const subscription = { url: receiver.url + path, event_types: ['lead.created'] };
  const webhook = (await send('POST', '/webhooks', subscription)).data;
  /** How often the webhook received an event about the lead. */
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
  for (const report of ['summary', 'funnel', 'timeseries', 'breakdown'])
    await send('GET', `/analytics/${report}`);
  for (const list of ['/events', '/contacts', '/auth/me']) await send('GET', list);

  await until(() => told() === 1);
  await until(async () => {
    const { data } = await send('GET', `/webhooks/${webhook.id}/deliveries`);
    return (data as unknown as { status: string }[]).every(({ status }) => status === 'succeeded');
  });
  await send('POST', `/webhooks/${webhook.id}/test`);
  await send('POST', `/webhooks/${webhook.id}/replays`, { from, to: new Date().toISOString() });
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

  await send('POST', '/auth/revoke', { token, ...credentials });
  expect((await call(token, 'GET', `${base}/leads`)).status).toBe(401);
}
