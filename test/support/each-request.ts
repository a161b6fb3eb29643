/** A request of each operation that succeeds. */
import { randomUUID } from 'node:crypto';
import { type OperationId, operations } from '../../generated/operations.ts';
import type { Environment } from '../../src/environment.ts';
import { apiClients, makeApiClient, makeApiKey } from './api-clients.ts';
import type { TestApp } from './app.ts';
import { createJob } from './bulk-jobs.ts';
import type { TestClient } from './client.ts';
import type { Endpoint } from './document.ts';
import { uniqueEmail } from './factories.ts';
import { makeHook } from './hooks.ts';
import { csv, send as sendFile } from './imports.ts';
import { metadataFields } from './metadata-fields.ts';
import { startReplay } from './replays.ts';
import { contacts, content, leads, make, type TestResource, users } from './resources.ts';
import { insertDelivery, webhooks } from './webhooks.ts';

export interface Services {
  app: TestApp;
  /** With all scopes. */
  clients: Record<Environment, TestClient>;
  /**
   * The same service behind a proxy, with its rate limit used up, with a contract without successes, and without a
   * database.
   */
  others: Record<'proxied' | 'limited' | 'broken' | 'lost', TestApp>;
}

export const secret = 'shared-secret';

/** Its path, with a new resource where it names one. */
export async function pathOf(
  { path, operationId, method }: Endpoint,
  { app, clients: { production: client } }: Pick<Services, 'app' | 'clients'>,
): Promise<string> {
  const [, kind = ''] = path.split('/');
  if (path.includes('{external_id}')) {
    const external_id = randomUUID();
    const resource = [leads, contacts, users].find((each) => each.path === `/${kind}`) as TestResource;
    if (method !== 'patch') await make(client, resource, { external_id });
    return path.replace('{external_id}', external_id);
  }
  if (operationId === 'createImport') return `${path}?resource=leads`;
  if (operationId === 'answerHookChallenge') return challenge((await makeVerifiedHook(client)).token, secret);
  if (path === '/hooks/{token}') return `/hooks/${(await makeVerifiedHook(client)).token}`;
  if (!path.includes('{id}')) return path;
  const db = app.production.knex;
  let id = 'x';
  let delivery = 'x';
  let replay = 'x';
  let key = 'x';
  if (kind === 'leads')
    ({ id } = await make(client, leads, operationId === 'reopenLead' ? { status: 'lost' } : {}));
  if (kind === 'sales-cycles') id = (await makeCustomer(client)).sales_cycle.id;
  if (kind === 'contacts') ({ id } = await make(client, contacts));
  if (kind === 'content') ({ id } = await make(client, content));
  if (kind === 'users') ({ id } = await make(client, users));
  if (kind === 'metadata-fields') {
    // At most a hundred may exist.
    await db('metadata_fields').delete();
    ({ id } = await make(client, metadataFields));
  }
  if (kind === 'notes') {
    const lead = await make(client, leads);
    ({ id } = (
      await client.post('/notes', { lead_id: lead.id, text: 'Called back.' }).expect(201)
    ).body.data);
  }
  if (kind === 'imports') ({ id } = await sendFile(client, importFile(), 'start=false'));
  if (kind === 'bulk-jobs') ({ id } = await createJob(client, bulkJob));
  if (kind === 'erasures') ({ id } = (await client.post('/erasures', { email: uniqueEmail() })).body.data);
  if (kind === 'events') ({ id } = (await client.get('/events?per_page=1')).body.data[0]);
  if (kind === 'webhooks') {
    // At most twenty may exist.
    await db('webhooks').delete();
    ({ id } = await make(client, webhooks));
    if (path.includes('{delivery_id}')) delivery = await insertDelivery(db, id);
    if (path.includes('{replay_id}')) replay = (await startReplay(client, id)).id;
  }
  if (kind === 'clients') {
    ({ id } = await makeApiClient(client));
    if (path.includes('{key_id}')) key = (await makeApiKey(client, id)).id;
  }
  if (kind === 'inbound-hooks') {
    const hook = await makeHook(client);
    const sent = await client.post(`/hooks/${hook.token}`, { nonce: randomUUID() }).expect(202);
    id = hook.id;
    delivery = sent.body.data.delivery_id;
  }
  return path
    .replace('{id}', id)
    .replace('{delivery_id}', delivery)
    .replace('{replay_id}', replay)
    .replace('{key_id}', key);
}

/** A lead in its second sales cycle. */
async function makeCustomer(client: TestClient) {
  const { id } = await make(client, leads, { status: 'won' });
  return (await client.patch(`/leads/${id}`, { status: 'new' }).expect(200)).body.data;
}

function challenge(token: string, verifyToken: string): string {
  return `/hooks/${token}?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=${verifyToken}`;
}

function makeVerifiedHook(client: TestClient) {
  return makeHook(client, {
    verification: { type: 'shared_header', header: 'X-Secret', secret, verify_token: secret },
  });
}

export async function bodyOf(
  { operationId }: Endpoint,
  { app }: Pick<Services, 'app'>,
): Promise<object | string> {
  if (operationId === 'mergeLead') return { lead_id: (await make(await app.client(), leads)).id };
  if (operationId === 'mergeContact') return { contact_id: (await make(await app.client(), contacts)).id };
  const today = new Date().toISOString().slice(0, 10);
  const bodies: Record<string, object | string> = {
    createImport: importFile(),
    createBulkJob: bulkJob,
    reassignUser: { to: null },
    createLead: leads.input(),
    upsertLead: leads.input(),
    createContact: contacts.input(),
    upsertContact: contacts.input(),
    upsertUser: users.input(),
    createContent: content.input(),
    createUser: users.input(),
    batchCreateLeads: { items: [leads.input()] },
    batchUpsertLeads: { match: 'email', items: [leads.input()] },
    batchUpdateLeads: { items: [{ id: 'lead_x', patch: {} }] },
    batchDeleteLeads: { ids: ['lead_x'] },
    batchReadLeads: { ids: ['lead_x'] },
    batchCreateContacts: { items: [contacts.input()] },
    batchUpsertContacts: { match: 'email', items: [contacts.input()] },
    batchUpdateContacts: { items: [{ id: 'contact_x', patch: {} }] },
    batchDeleteContacts: { ids: ['contact_x'] },
    batchReadContacts: { ids: ['contact_x'] },
    createNote: { lead_id: (await make(await app.client(), leads)).id, text: 'Called back.' },
    createMetadataField: metadataFields.input(),
    createWebhook: webhooks.input(),
    createClient: apiClients.input(),
    createApiKey: { name: 'Zap' },
    createInboundHook: { name: 'Form' },
    createToken: { grant_type: 'client_credentials', ...(await app.credentials()) },
    revokeToken: { token: 'x', ...(await app.credentials()) },
    createWebhookReplay: { from: today, to: today },
    previewInboundHook: { payload: {} },
    receiveInboundDelivery: { name: 'Ada', email: uniqueEmail() },
    createErasure: { email: uniqueEmail() },
    lookUpPerson: { email: uniqueEmail() },
    seedSandbox: { seed: Math.floor(Math.random() * 1e9), leads: 1 },
  };
  return bodies[operationId] ?? {};
}

export function typeOf({ operationId }: Endpoint): string {
  const [own = ''] = operations[operationId as OperationId].consumes;
  return own === 'text/csv' ? own : 'application/json';
}

/** It changes nothing. */
const bulkJob = { resource: 'leads', filter: { tag: ['nobody'] }, action: { update: { company: null } } };

const importFile = () => csv('name,email', `Ada,${uniqueEmail()}`);
