/** Creates inbound hooks, and sends to them as another system would. */
import type { Test } from 'supertest';
import type { components } from '../../generated/api.ts';
import type { TestApp } from './app.ts';
import type { TestClient } from './client.ts';
import { uniqueEmail } from './factories.ts';
import type { TestResource } from './resources.ts';

type Schemas = components['schemas'];

export const inboundHooks: TestResource<Schemas['InboundHook']> = {
  path: '/inbound-hooks',
  table: 'inbound_hooks',
  prefix: 'hook',
  nameField: 'name',
  required: ['name'],
  shownOnce: 'url',
  input: (name = 'Contact form') => ({ name }),
};

export interface Hook {
  id: string;
  /** Below /inbound-hooks. */
  path: string;
  token: string;
}

export async function makeHook(client: TestClient, fields: object = {}): Promise<Hook> {
  const { body } = await client.post('/inbound-hooks', { name: 'Contact form', ...fields }).expect(201);
  return { id: body.data.id, path: `/inbound-hooks/${body.data.id}`, token: tokenOf(body.data.url) };
}

export function tokenOf(url: string): string {
  return url.split('/').at(-1) ?? '';
}

/** Sends to the hook as another system does: with nothing but the address. */
export function send(
  app: TestApp,
  { token }: Pick<Hook, 'token'>,
  payload: object | string,
  headers: Record<string, string> = {},
): Test {
  return app.anonymous.post(`/hooks/${token}`, payload).set(headers);
}

/** Sends, and returns the receipt. */
export async function sendIn(
  app: TestApp,
  hook: Pick<Hook, 'token'>,
  payload: object,
  headers: Record<string, string> = {},
): Promise<Schemas['InboundReceipt']> {
  const { body } = await send(app, hook, payload, headers).expect(202);
  return body.data;
}

/** What a form with the usual fields sends. */
export function formInput(fields: object = {}): { name: string; email: string } {
  return { name: 'Ada Lovelace', email: uniqueEmail(), ...fields };
}

/** The leads with this email address. */
export async function leadsOf(client: TestClient, email: string): Promise<Schemas['Lead'][]> {
  const { body } = await client.get(`/leads?email=${encodeURIComponent(email)}`).expect(200);
  return body.data;
}

export async function readDelivery(
  client: TestClient,
  hook: Hook,
  deliveryId: string,
): Promise<Schemas['InboundDeliveryDetail']> {
  const { body } = await client.get(`${hook.path}/deliveries/${deliveryId}`).expect(200);
  return body.data;
}
