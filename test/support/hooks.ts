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
): Promise<Schemas['InboundResult']> {
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
): Promise<Schemas['InboundDeliveryWithPayload']> {
  const { body } = await client.get(`${hook.path}/deliveries/${deliveryId}`).expect(200);
  return body.data;
}

/** Every field that a mapping may have, with short names in the payload. */
export const fullMapping = {
  name: '/name',
  email: '/email',
  phone: '/phone',
  company: '/company',
  status: '/status',
  source: '/source',
  source_detail: '/source_detail',
  assigned_user_id: '/owner',
  content_id: '/page',
  external_id: '/id',
  lost_reason: '/reason',
  'value.amount': '/amount',
  'value.currency': '/currency',
  expected_close_on: '/by',
  tags: '/tags',
  note: '/message',
  'metadata.plan': '/plan',
};

/** The texts of a lead's notes, newest first. */
export async function notesAbout(client: TestClient, leadId: string): Promise<string[]> {
  const { body } = await client.get(`/notes?lead_id=${leadId}`).expect(200);
  return body.data.map(({ text }: { text: string }) => text);
}

/** Sends, and returns what became of it. */
export async function sendAndRead(app: TestApp, client: TestClient, hook: Hook, payload: object) {
  const { delivery_id, status } = await sendIn(app, hook, payload);
  const { warnings, lead_id: id } = await readDelivery(client, hook, delivery_id);
  const lead: Schemas['Lead'] | undefined = id
    ? (await client.get(`/leads/${id}`).expect(200)).body.data
    : undefined;
  return { delivery_id, status, warnings, lead, notes: lead ? await notesAbout(client, lead.id) : [] };
}
