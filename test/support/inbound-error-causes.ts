import type { Response } from 'supertest';
import type { TestApp } from './app.ts';
import type { TestClient } from './client.ts';
import { formInput, makeHook, send, sendIn } from './hooks.ts';

interface Services {
  app: TestApp;
  client: TestClient;
  others: Record<'full', TestApp>;
}

/** Causes each error of inbound hooks that the document shows as an example. */
export const inboundCauses: Record<string, (services: Services) => PromiseLike<Response>> = {
  'mapping.colour is unknown or read-only.': ({ client }) =>
    client.post('/inbound-hooks', {
      name: 'Form',
      mapping: { name: '/name', email: '/email', colour: '/colour' },
    }),
  'verification.secret is required for hmac_sha256.': ({ client }) => {
    const verification = { type: 'hmac_sha256', header: 'X-Hub-Signature-256' };
    return client.post('/inbound-hooks', { name: 'Form', verification });
  },
  'The hub.verify_token is not the one of this hook.': async ({ client }) => {
    const { token } = await makeHook(client);
    return client.get(`/hooks/${token}?hub.mode=subscribe&hub.challenge=1&hub.verify_token=x`);
  },
  'This hook does not take data from pages of https://other.example.': async ({ app, client }) => {
    const hook = await makeHook(client, { allowed_origins: ['https://www.example.com'] });
    return send(app, hook, {}, { Origin: 'https://other.example' });
  },
  'payload is required.': async ({ client }) => client.post(`${(await makeHook(client)).path}/preview`, {}),
  'The body must not be larger than 1024 KiB.': async ({ app, client }) =>
    send(app, await makeHook(client), `"${'x'.repeat(1_100_000)}"`),
  'The header X-Hub-Signature-256 does not match the signature or secret that this hook requires.': async ({
    app,
    client,
  }) => {
    const verification = { type: 'hmac_sha256', header: 'X-Hub-Signature-256', secret: 'a-shared-secret' };
    return send(app, await makeHook(client, { verification }), {});
  },
  'The data does not make a valid lead, and there is no room left to keep it. Nothing was stored. Send it again later.':
    async ({ client, others }) => send(others.full, await makeHook(client), { name: 'Ada' }),
  'The data of this delivery was deleted, because the person was erased or to free storage.': async ({
    client,
    others,
  }) => {
    const hook = await makeHook(client);
    const { delivery_id } = await sendIn(others.full, hook, formInput());
    return client.post(`${hook.path}/deliveries/${delivery_id}/reprocess`);
  },
};
