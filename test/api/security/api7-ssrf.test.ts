/**
 * OWASP API7:2023, server side request forgery. Which addresses are refused in which spelling, DNS rebinding included, is
 * tested in test/api/deliveries/target.test.ts and resolve.test.ts; here is what a client can try through the API.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allScopes, startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead, uniqueEmail } from '../../support/factories.ts';
import { makeHook, send } from '../../support/hooks.ts';
import { content, make } from '../../support/resources.ts';
import { type Subscriptions, startSubscriptions } from '../../support/subscriptions.ts';
import { webhooks } from '../../support/webhooks.ts';

describe('the address of a webhook', () => {
  let app: TestApp;
  let client: TestClient;

  beforeAll(async () => {
    app = await startTestApp({ allowPrivateTargets: false });
    client = await app.client(allScopes);
  });

  afterAll(() => app.close());

  it.each([
    'https://169.254.169.254/latest/meta-data/',
    'https://2852039166/',
    'https://0xa9fea9fe/',
    'https://0251.0376.0251.0376/',
    'https://[::ffff:169.254.169.254]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[fd00:ec2::254]/',
    'https://metadata.google.internal/',
    'https://127.0.0.1:5432/',
    'https://localhost/',
    'https://[::1]/',
    'https://10.0.0.1/',
    'http://example.com/',
    'gopher://example.com/',
    'https://example.com@127.0.0.1/',
  ])('can not be %s, neither from the beginning nor later', async (url) => {
    const created = await client.post('/webhooks', { ...webhooks.input(), url }).expect(422);
    expect(created.body.errors.url).toEqual([expect.stringMatching(/^url must /)]);
    const { id } = await make(client, webhooks, { url: 'https://example.com/' });
    const changed = await client.patch(`/webhooks/${id}`, { url }).expect(422);
    expect(changed.body.errors.url).toEqual(created.body.errors.url);
    expect((await client.get(`/webhooks/${id}`).expect(200)).body.data.url).toBe('https://example.com/');
    await client.delete(`/webhooks/${id}`).expect(204);
  });
});

describe('the service', () => {
  let scene: Subscriptions;

  beforeAll(async () => {
    scene = await startSubscriptions();
  });

  afterAll(() => scene.close());

  it.each([301, 302, 303, 307, 308])('follows no redirect of a receiver: %i', async (status) => {
    await scene.reset();
    const target = await scene.subscribe();
    await scene.client.patch(`/webhooks/${target.id}`, { status: 'paused' }).expect(200);
    const redirecting = await scene.subscribe(status, { Location: scene.url + target.path });
    await createLead(scene.client);
    await redirecting.settled(1);
    expect(await redirecting.deliveries()).toMatchObject([{ attempts: [{ status_code: status }] }]);
    expect(target.received()).toEqual([]);
  });

  it('calls no address that stands in data', async () => {
    await scene.reset();
    const target = await scene.subscribe();
    await scene.client.patch(`/webhooks/${target.id}`, { status: 'paused' }).expect(200);
    const witness = await scene.subscribe();
    const url = scene.url + target.path;
    const { id } = await make(scene.client, content, { url, body: `![x](${url})`, summary: url });
    await scene.client.post(`/content/${id}/publish`).expect(200);
    await createLead(scene.client, { name: url, company: url, metadata: { url, jku: url } });
    const hook = await makeHook(scene.client);
    await send(scene.app, hook, { name: url, email: uniqueEmail(), url, '@id': url }).expect(202);
    await scene.app.anonymous.get('/leads').set('Referer', url).set('X-Forwarded-Host', new URL(url).host);
    // By then, the service has done everything that these requests cause.
    await witness.settled(4);
    expect(target.received()).toEqual([]);
  });
});
