import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { expectRefusal, make } from '../../support/resources.ts';
import { disable, uuidOf, webhooks } from '../../support/webhooks.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true, allowPrivateTargets: false });
  client = await app.client();
});

beforeEach(() => app.production.knex('webhooks').delete());

afterAll(() => app.close());

describe('PATCH /webhooks/{id}', () => {
  it('changes only the given fields and increments the version; the secret is not returned', async () => {
    const { secret: _secret, ...before } = await make(client, webhooks, { description: 'Old' });
    const patch = { url: 'https://example.org/', event_types: ['user.created'], description: null };
    const { body } = await client.patch(`/webhooks/${before.id}`, patch).expect(200).expect('ETag', '"2"');
    const { updated_at } = body.data;
    expect(body.data).toEqual({ ...before, ...patch, version: 2, updated_at });
    const read = await client.get(`/webhooks/${before.id}`).expect(200);
    expect(read.body).toEqual(body);
  });

  it('keeps version and time when nothing changes', async () => {
    const { secret: _secret, ...before } = await make(client, webhooks);
    for (const patch of [{}, { url: before.url }, { status: 'enabled', event_types: ['*', '*'] }]) {
      const { body } = await client.patch(`/webhooks/${before.id}`, patch).expect(200);
      expect(body.data).toEqual(before);
    }
  });

  it('sets the retry schedule in the sandbox, and rejects the fast one in production', async () => {
    const sandbox = await app.client(undefined, 'sandbox');
    const { id } = await make(sandbox, webhooks);
    for (const retry_schedule of ['fast', 'standard']) {
      const { body } = await sandbox.patch(`/webhooks/${id}`, { retry_schedule }).expect(200);
      expect(body.data.retry_schedule).toBe(retry_schedule);
    }
    const other = await make(client, webhooks);
    const patched = client.patch(`/webhooks/${other.id}`, { retry_schedule: 'fast' });
    await expectRefusal(patched, { field: 'retry_schedule' });
  });

  it('pauses and resumes', async () => {
    const { id } = await make(client, webhooks);
    for (const status of ['paused', 'enabled']) {
      const { body } = await client.patch(`/webhooks/${id}`, { status }).expect(200);
      expect(body.data.status).toBe(status);
    }
  });

  it('enables a webhook that the service has disabled, and clears the reason', async () => {
    const { id } = await make(client, webhooks);
    await disable(app.production.knex, id);
    const before = await client.get(`/webhooks/${id}`).expect(200);
    expect(before.body.data).toMatchObject({ status: 'disabled', disabled_reason: expect.any(String) });
    const { body } = await client.patch(`/webhooks/${id}`, { status: 'enabled' }).expect(200);
    expect(body.data).toMatchObject({ status: 'enabled', disabled_reason: null, failing_since: null });
  });

  it('pauses a webhook that the service has disabled', async () => {
    const { id } = await make(client, webhooks);
    await disable(app.production.knex, id);
    const { body } = await client.patch(`/webhooks/${id}`, { status: 'paused' }).expect(200);
    expect(body.data).toMatchObject({ status: 'paused', disabled_reason: null });
  });

  it.each([
    ['another address', { url: 'https://example.org/' }, null],
    ['another description', { description: 'New' }, '2026-11-20T09:30:00.000Z'],
    ['the same status', { status: 'enabled' }, '2026-11-20T09:30:00.000Z'],
  ])('clears failing_since only if the address changes: with %s', async (_, patch, failingSince) => {
    const { id } = await make(client, webhooks);
    const failing = { failing_since: '2026-11-20T09:30:00.000Z' };
    await app.production
      .knex('webhooks')
      .where({ id: uuidOf(id) })
      .update(failing);
    const { body } = await client.patch(`/webhooks/${id}`, patch).expect(200);
    expect(body.data.failing_since).toBe(failingSince);
  });

  it.each([
    ['url', 'http://example.com'],
    ['url', 'https://10.1.2.3'],
    ['url', null],
    ['event_types', null],
    ['event_types', ['*', 'lead.created']],
    ['status', 'disabled'],
    ['status', null],
    ['description', ' '],
    ['id', 'x'],
    ['secret', 'whsec_x'],
    ['version', 7],
  ])('rejects %s: %j', async (field, value) => {
    const { id } = await make(client, webhooks);
    await expectRefusal(client.patch(`/webhooks/${id}`, { [field]: value }), { field });
  });

  it('changes nothing with the wrong version in If-Match', async () => {
    const { id } = await make(client, webhooks);
    const late = client.with({ 'If-Match': '"2"' });
    const { body } = await late.patch(`/webhooks/${id}`, { status: 'paused' }).expect(412);
    expect(body.code).toBe('version_mismatch');
  });

  it.each(['\u202a', '\u202e', '\u2066', '\u2069'])(
    'rejects characters that change the text direction in the description: %j',
    async (character) => {
      const { id } = await make(client, webhooks, { description: 'Ada\u200f\nשלום' });
      const description = `Our${character} CRM`;
      await expectRefusal(client.post('/webhooks', { ...webhooks.input(), description }), {
        field: 'description',
      });
      await expectRefusal(client.patch(`/webhooks/${id}`, { description }), { field: 'description' });
    },
  );
});
