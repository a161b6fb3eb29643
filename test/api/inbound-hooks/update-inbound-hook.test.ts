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

const shared = { type: 'shared_header', header: 'X-Token', secret: 'a-secret-of-theirs' };

describe('PATCH /inbound-hooks/{id}', () => {
  it('pauses a hook, whose address answers 404 until it is enabled again', async () => {
    const hook = await makeHook(client);
    await client.patch(hook.path, { status: 'paused' }).expect(200);
    const { body } = await send(app, hook, formInput()).expect(404);
    expect(body.code).toBe('not_found');
    await client.patch(hook.path, { status: 'enabled' }).expect(200);
    await sendIn(app, hook, formInput());
  });

  it('changes single fields of the mapping, and removes those set to null', async () => {
    const before = { name: '/name', email: '/email', phone: '/phone' };
    const hook = await makeHook(client, { mapping: before });
    const mapping = { phone: null, company: { path: '/org', default: 'Unknown' }, 'metadata.form': '/form' };
    const { body } = await client.patch(hook.path, { mapping }).expect(200);
    expect(body.data.mapping).toEqual({
      name: '/name',
      email: '/email',
      company: { path: '/org', default: 'Unknown' },
      'metadata.form': '/form',
    });
    const form = formInput({ phone: '+4915112345678', form: 'contact' });
    expect((await sendIn(app, hook, form)).status).toBe('created');
    const [lead] = await leadsOf(client, form.email);
    expect(lead).toMatchObject({ phone: null, company: 'Unknown', metadata: { form: 'contact' } });
  });

  it('keeps the secret when only the rest of the verification changes', async () => {
    const hook = await makeHook(client, { verification: shared });
    const { body } = await client.patch(hook.path, { verification: { header: 'X-Other' } }).expect(200);
    expect(body.data.verification).toMatchObject({ type: 'shared_header', header: 'X-Other' });
    await send(app, hook, formInput(), { 'X-Other': shared.secret }).expect(202);
    await send(app, hook, formInput(), { 'X-Token': shared.secret }).expect(401);
  });

  it('replaces the secret', async () => {
    const hook = await makeHook(client, { verification: shared });
    await client.patch(hook.path, { verification: { secret: 'another-secret' } }).expect(200);
    await send(app, hook, formInput(), { 'X-Token': shared.secret }).expect(401);
    await send(app, hook, formInput(), { 'X-Token': 'another-secret' }).expect(202);
  });

  it('replaces all settings when the type changes', async () => {
    const hook = await makeHook(client, { verification: shared });
    const patch = (verification: object | null) => client.patch(hook.path, { verification });
    await expectRefusal(patch({ type: 'hmac_sha256', header: 'X-Signature' }), {
      field: 'verification.secret',
    });
    await expectRefusal(patch({ type: 'hmac_sha256', secret: 'another-secret' }), {
      field: 'verification.header',
    });
    for (const none of [null, { type: 'none' }]) {
      await patch({ ...shared }).expect(200);
      const { body } = await patch(none).expect(200);
      expect(body.data.verification).toMatchObject({ type: 'none', header: null });
      await sendIn(app, hook, formInput());
    }
  });

  it('changes nothing if the values stay the same', async () => {
    const assigned_user_id = (await make(client, users)).id;
    const content_id = (await make(client, content)).id;
    const mapping = { name: '/name', email: '/email' };
    const hook = await makeHook(client, { assigned_user_id, content_id, default_tags: ['a'], mapping });
    const patch = { assigned_user_id, content_id, default_tags: ['a', 'a'], mapping };
    const { body } = await client.patch(hook.path, patch).expect(200);
    expect(body.data.version).toBe(1);
  });

  it('clears tags, assignee and content with null', async () => {
    const assigned_user_id = (await make(client, users)).id;
    const content_id = (await make(client, content)).id;
    const mapping = { name: '/name', email: '/email' };
    const hook = await makeHook(client, { assigned_user_id, content_id, default_tags: ['a'], mapping });
    const patch = { assigned_user_id: null, content_id: null, default_tags: null };
    const { body } = await client.patch(hook.path, patch).expect(200);
    expect(body.data).toMatchObject({ ...patch, default_tags: [] });
  });

  it.each([
    [{ mapping: { email: null } }, 'mapping.email'],
    [{ mapping: null }, 'mapping'],
    [{ mapping: { colour: '/colour' } }, 'mapping.colour'],
    [{ mapping: { tags: 7 } }, 'mapping.tags'],
    [{ verification: { secret: 'a-secret-of-theirs' } }, 'verification.secret'],
    [{ verification: { type: 'standard_webhooks' } }, 'verification.secret'],
    [{ status: null }, 'status'],
    [{ on_duplicate: null }, 'on_duplicate'],
    [{ lead_source: null }, 'lead_source'],
    [{ url: 'https://example.com' }, 'url'],
    [{ content_id: 'content_01h455vb4pex5vsknk084sn02q' }, 'content_id'],
  ])('rejects %j by name', async (patch, field) => {
    const hook = await makeHook(client);
    await expectRefusal(client.patch(hook.path, patch), { field });
  });
});
