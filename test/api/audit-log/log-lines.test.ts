import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as operator from '../../../src/clients/operator.ts';
import { makeApiClient, makeApiKey, signIn } from '../../support/api-clients.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { makeHook } from '../../support/hooks.ts';

const lines: string[] = [];
let app: TestApp;
let admin: TestClient;
let writer: TestClient;
/** Public id of the admin. */
let adminId: string;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true, log: (line) => lines.push(line) });
  admin = await app.client(['admin']);
  writer = await app.client();
  adminId = (await admin.get('/auth/me').expect(200)).body.data.client_id;
});

afterAll(() => app.close());

/** The audit lines that `work` writes, without the fields of every line. */
async function linesOf(work: () => Promise<unknown>): Promise<Record<string, unknown>[]> {
  const before = lines.length;
  await work();
  return lines
    .slice(before)
    .map((line) => JSON.parse(line))
    .filter(({ audit }) => audit === true)
    .map(({ level, time, msg, audit, ...line }) => line);
}

const actsOf = async (work: () => Promise<unknown>) => (await linesOf(work)).map(({ act }) => act);

describe('a line of the audit in the log', () => {
  it('has the action, the client, the actor and the request', async () => {
    let client_id = '';
    const [line, ...others] = await linesOf(async () => {
      const name = 'Grace Hopper';
      const { body } = await admin
        .post('/clients', { name, scopes: ['read'] })
        .set('X-Request-Id', 'audited-request')
        .expect(201);
      client_id = body.data.id;
    });
    expect(line).toEqual({
      act: 'client.created',
      client_id,
      actor: 'client',
      actor_id: adminId,
      environment: 'production',
      request_id: 'audited-request',
    });
    expect(others).toEqual([]);
  });

  it('is there for all that the API does to clients and keys', async () => {
    const acts = await actsOf(async () => {
      const client = await makeApiClient(admin);
      const key = await makeApiKey(admin, client.id);
      await admin.post(`/clients/${client.id}/keys/${key.id}/revoke`).expect(200);
      await admin.post(`/clients/${client.id}/rotate-secret`).expect(200);
      await admin.post(`/clients/${client.id}/disable`).expect(200);
      await admin.post(`/clients/${client.id}/enable`).expect(200);
    });
    expect(acts).toEqual([
      ...['client.created', 'key.created', 'key.revoked'],
      ...['client.secret_rotated', 'client.disabled', 'client.enabled'],
    ]);
  });

  it('is there for all that the operator does', async () => {
    const place = app.sandbox;
    const written = await linesOf(async () => {
      const { client_id } = await operator.registerClient(place, { name: 'Ada', scopes: ['read'] });
      await operator.rotateSecret(place, client_id);
      const key = { clientId: client_id, name: 'Zap', scopes: undefined, expiresAt: null };
      const { key_id } = await operator.issueApiKey(place, key);
      await operator.withdrawApiKey(place, key_id);
      await operator.disableClient(place, client_id);
      await operator.replaceSigningKey(place, app.secretKey);
    });
    expect(written.map(({ act }) => act)).toEqual([
      ...['client.created', 'client.secret_rotated', 'key.created', 'key.revoked', 'client.disabled'],
      'signing_key.rotated',
    ]);
    for (const line of written) expect(line).toMatchObject({ actor: 'operator', environment: 'sandbox' });
  });

  it('is there for the secrets of webhooks', async () => {
    const acts = await actsOf(async () => {
      const input = { url: 'http://127.0.0.1:9', event_types: ['*'], status: 'paused' };
      const { body } = await writer.post('/webhooks', input).expect(201);
      await writer.post(`/webhooks/${body.data.id}/rotate-secret`).expect(200);
      await writer.patch(`/webhooks/${body.data.id}`, { description: 'no credential' }).expect(200);
      await writer.delete(`/webhooks/${body.data.id}`).expect(204);
    });
    expect(acts).toEqual(['webhook.created', 'webhook.secret_rotated', 'webhook.deleted']);
  });

  it('is there for the addresses and secrets of inbound hooks', async () => {
    const acts = await actsOf(async () => {
      const { path } = await makeHook(writer);
      await writer.post(`${path}/rotate-url`).expect(200);
      const verification = { type: 'shared_header', header: 'X-Secret', secret: 'a-secret-of-the-sender' };
      await writer.patch(path, { verification }).expect(200);
      await writer.patch(path, { name: 'no credential', verification: { header: 'X-Other' } }).expect(200);
      await writer.patch(path, { verification: null }).expect(200);
      await writer.delete(path).expect(204);
    });
    expect(acts).toEqual([
      ...['inbound_hook.created', 'inbound_hook.url_rotated'],
      ...['inbound_hook.secret_changed', 'inbound_hook.secret_changed', 'inbound_hook.deleted'],
    ]);
  });

  it('is there for a revoked token, unless it was no token of this client', async () => {
    const client = await makeApiClient(admin);
    const signedIn = await signIn(app.anonymous, client);
    const credentials = { client_id: client.id, client_secret: client.client_secret };
    const { body } = await app.anonymous
      .post('/auth/token', { grant_type: 'client_credentials', ...credentials })
      .expect(200);
    const revoke = (token: string) =>
      app.anonymous.post('/auth/revoke', { token, ...credentials }).expect(200);
    expect(signedIn).toBeDefined();
    expect(await linesOf(() => revoke(body.access_token))).toEqual([
      expect.objectContaining({ act: 'token.revoked', client_id: client.id, actor_id: client.id }),
    ]);
    expect(await linesOf(() => revoke('not-a-token'))).toEqual([]);
  });

  it('is missing for rolled-back and rejected requests', async () => {
    const acts = await actsOf(async () => {
      const input = { name: 'Tried', scopes: ['read'] };
      await admin.post('/clients', input).set('Dry-Run', 'true').expect(201);
      await admin.post('/clients', { name: 'Refused', scopes: ['nothing'] }).expect(422);
    });
    expect(acts).toEqual([]);
  });

  it('never has a secret or a name', async () => {
    const secrets: string[] = [];
    const written = await linesOf(async () => {
      const client = await makeApiClient(admin, { name: 'Grace Hopper' });
      const key = await makeApiKey(admin, client.id, { name: 'Key of Grace' });
      const hook = await makeHook(writer, { name: 'Form of Grace' });
      secrets.push(client.client_secret, key.api_key, hook.token);
    });
    const text = JSON.stringify(written);
    expect(written).toHaveLength(3);
    for (const hidden of [...secrets, 'Grace', '127.0.0.1']) expect(text).not.toContain(hidden);
  });
});
