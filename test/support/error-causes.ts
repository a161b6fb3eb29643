/** Causes each error that the document shows as an example. */
import { randomUUID } from 'node:crypto';
import { makeApiClient } from './api-clients.ts';
import type { TestApp } from './app.ts';
import { createJob, doJob } from './bulk-jobs.ts';
import type { TestClient } from './client.ts';
import { createLead, createUser, uniqueEmail } from './factories.ts';
import { makeHook } from './hooks.ts';
import { importCauses } from './import-error-causes.ts';
import { inboundCauses } from './inbound-error-causes.ts';
import { limitCauses } from './limit-error-causes.ts';
import { requestHead, sendRaw } from './raw.ts';
import { replayCauses } from './replay-error-causes.ts';
import { contacts, content, make } from './resources.ts';
import { forgeToken } from './tokens.ts';

export interface ErrorBody {
  message: string;
  code: string;
  request_id: string;
}

export interface Services {
  app: TestApp;
  /** With all scopes. */
  client: TestClient;
  sandbox: TestClient;
  /**
   * The same service behind a proxy, with its rate limit used up, with full storage for payloads, with short timeouts, and
   * without a database.
   */
  others: Record<'proxied' | 'limited' | 'full' | 'hasty' | 'lost', TestApp>;
}

type Answer = PromiseLike<{ body: ErrorBody }>;

const FORM = 'application/x-www-form-urlencoded';
const lead = { name: 'Ada Lovelace', email: 'ada@example.com' };
const token = { grant_type: 'client_credentials', client_id: 'x', client_secret: 'x' };
const unknown = 'contact_01m7w4n5e0fymt8j463c8gepsz';

/** The causes by the message of the error. */
export const causes: Record<string, (services: Services) => Answer> = {
  'per_page must be at most 100.': ({ client }) => client.get('/leads?per_page=101'),
  'The body is not valid JSON at line 1, column 9: unexpected end of JSON input.': ({ client }) =>
    client.post('/leads', '{"name":'),
  'grant_type must be client_credentials.': ({ app }) =>
    app.anonymous.post('/auth/token', { ...token, grant_type: 'password' }).type(FORM),
  'client_id is required, in the body or by HTTP Basic.': ({ app }) =>
    app.anonymous.post('/auth/token', { grant_type: 'client_credentials' }),
  'The API client is unknown or disabled in this environment, or its secret is wrong.': ({ app }) =>
    app.anonymous.post('/auth/token', token),
  'Send a token as "Authorization: Bearer <token>" (from POST /auth/token), or an API key as "X-API-Key".': ({
    app,
  }) => app.anonymous.get('/leads'),
  'The access token has expired. Get a new one from POST /auth/token.': async ({ app }) => {
    const { client_id } = await app.credentials();
    const claims = { exp: Math.floor(Date.now() / 1000) - 1 };
    const expired = await forgeToken(app.production, app.secretKey, client_id, { claims });
    return app.anonymous.with({ Authorization: `Bearer ${expired}` }).get('/leads');
  },
  'This operation needs the scope leads:write. Your token or API key has leads:read.': async ({ app }) =>
    (await app.client(['leads:read'])).post('/leads', lead),
  'Use https: this request reached the proxy over plain HTTP.': ({ client, others }) =>
    client.at(`${others.proxied.url}/v1`).get('/leads'),
  'The lead lead_… does not exist.': async ({ client }) => {
    const { id } = await createLead(client);
    await client.delete(`/leads/${id}`).expect(204);
    return client.get(`/leads/${id}`);
  },
  'The lead lead_… was merged into lead_….': async ({ client }) => {
    const [stays, other] = [await createLead(client), await createLead(client)];
    await client.post(`/leads/${stays.id}/merge`, { lead_id: other.id }).expect(200);
    return client.get(`/leads/${other.id}`);
  },
  'There is nothing at /v1/sandbox/seed.': ({ client }) => client.post('/sandbox/seed', {}),
  'The service answers in application/json. Your Accept header must allow that.': ({ client }) =>
    client.with({ Accept: 'text/html' }).get('/leads'),
  'The service answers in application/json or text/csv. Your Accept header must allow that.': ({ client }) =>
    client.with({ Accept: 'text/html' }).get('/analytics/summary'),
  'The service answers in text/csv or application/x-ndjson. Your Accept header must allow that.': ({
    client,
  }) => client.with({ Accept: 'application/json' }).get('/leads/export'),
  ...importCauses,
  'You have 100 jobs that have not ended, which is the maximum. Wait for them, or cancel some.': async ({
    app,
  }) => {
    const client = await app.client();
    const job = { resource: 'leads', filter: { tag: ['nobody'] }, action: { delete: true } };
    for (let count = 0; count < 100; count += 1) await createJob(client, job);
    return client.post('/bulk-jobs', job);
  },
  "This job can't be cancelled: it has already completed.": async ({ app, client }) => {
    const job = { resource: 'leads', filter: { tag: ['nobody'] }, action: { delete: true } };
    const { id } = await doJob(app, client, job);
    return client.post(`/bulk-jobs/${id}/cancel`);
  },
  ...inboundCauses,
  ...limitCauses,
  ...replayCauses,
  'The request did not arrive in time.': async ({ client, others }) => {
    const json = { 'Content-Type': 'application/json', 'Content-Length': '10' };
    const head = requestHead('POST', '/v1/leads', { ...client.headers, ...json });
    return { body: JSON.parse((await sendRaw(others.hasty.url, `${head}{`)).body) };
  },
  'The resource is at version 4, not at "3". Read it again, then repeat the change.': async ({ client }) => {
    const { id } = await createLead(client);
    for (const company of ['A', 'B', 'C']) await client.patch(`/leads/${id}`, { company }).expect(200);
    return client.with({ 'If-Match': '"3"' }).patch(`/leads/${id}`, { company: 'D' });
  },
  'The body must not be larger than 256 KiB.': ({ client }) =>
    client.post('/leads', `"${'x'.repeat(300_000)}"`),
  'The body must not be larger than 8192 KiB.': ({ client }) =>
    client.post('/leads/batch/create', `"${'x'.repeat(8_388_608)}"`),
  'items.17.email is already used by another lead.': async ({ client }) => {
    const items = Array.from({ length: 18 }, () => ({ ...lead, email: uniqueEmail() }));
    const last = { ...lead, email: (await createLead(client)).email };
    return client.post('/leads/batch/create', { atomic: true, items: [...items.slice(1), last] });
  },
  'items must not be empty.': ({ client }) => client.post('/leads/batch/create', { items: [] }),
  'body must have at most 1 key.': ({ client }) =>
    client.post('/leads/batch/read', { ids: ['x'], emails: ['x'] }),
  'The URL must not be longer than 8192 characters.': ({ client }) =>
    client.get(`/leads?${'x'.repeat(8_200)}`),
  'The body must be application/json in UTF-8, and its Content-Type must say so.': ({ client }) =>
    client.post('/leads', 'x').type('text/plain'),
  'The request line and headers must not be larger than 24 KiB.': ({ client }) =>
    client.with({ 'X-Large': 'x'.repeat(30_000) }).get('/leads'),
  'name and metadata.plan are invalid. The details are in errors.': ({ client }) =>
    client.post('/leads', { email: uniqueEmail(), metadata: { plan: 'x'.repeat(501) } }),
  'email is already used by another lead.': async ({ client }) =>
    client.post('/leads', { ...lead, email: (await createLead(client)).email }),
  'external_id is already used by another lead.': async ({ client }) => {
    const { external_id } = await createLead(client, { external_id: randomUUID() });
    return client.post('/leads', { ...lead, email: uniqueEmail(), external_id });
  },
  'external_id must not contain control characters.': ({ client }) => client.get('/leads/external/a%0Ab'),
  'assigned_user_id must be the id of an active user.': async ({ client }) => {
    const assigned_user_id = await createUser(client, { active: false });
    return client.post('/leads', { ...lead, email: uniqueEmail(), assigned_user_id });
  },
  'Acting-User must be the id of an active user.': ({ client }) =>
    client.with({ 'Acting-User': 'user_x' }).post('/contacts', contacts.input()),
  'Idempotency-Key was used for a different request within the last 24 hours; use a new key for a new request.':
    async ({ client }) => {
      const once = client.with({ 'Idempotency-Key': randomUUID() });
      await once.post('/contacts', contacts.input()).expect(201);
      return once.post('/contacts', contacts.input());
    },
  'Too many requests: the class "read" allows N in 60 seconds. Try again in N seconds.': ({
    client,
    others,
  }) => client.at(`${others.limited.url}/v1`).get('/leads'),
  'Too many requests: the class "inbound" allows N in 60 seconds. Try again in N seconds.': async ({
    client,
    others,
  }) => client.at(`${others.limited.url}/v1`).post(`/hooks/${(await makeHook(client)).token}`, {}),
  'Too many wrong secrets for this client came from your address. Until the lock ends, the right secret is refused too. Try again in N seconds.':
    ({ app, others }) => app.anonymous.at(`${others.limited.url}/v1`).post('/auth/token', token),
  'Something went wrong on our side. Include the request_id when you report it.': async ({ app, client }) => {
    const rename = (from: string, to: string) =>
      app.production.knex.raw('alter table ?? rename to ??', [from, to]);
    await rename('idempotency_keys', 'elsewhere');
    const answer = await client.with({ 'Idempotency-Key': randomUUID() }).post('/leads', lead);
    await rename('elsewhere', 'idempotency_keys');
    return answer;
  },
  'The service cannot reach its database at the moment. Try again shortly.': ({ client, others }) =>
    client.at(`${others.lost.url}/v1`).get('/leads'),
  'status is lost; change the status of the lead before converting it.': async ({ client }) => {
    const { id } = await createLead(client, { status: 'lost' });
    return client.post(`/leads/${id}/convert`, {});
  },
  'status is contacted: only a won or lost lead can be reopened.': async ({ client }) =>
    client.post(`/leads/${(await createLead(client, { status: 'contacted' })).id}/reopen`),
  "value can't be corrected while the sales cycle is open; change the lead lead_… instead.": async ({
    client,
  }) => {
    const { sales_cycle } = await createLead(client);
    return client.patch(`/sales-cycles/${sales_cycle.id}`, { value: { amount: '1', currency: 'EUR' } });
  },
  "id can't be the id of the lead's only sales cycle; delete the lead instead.": async ({ client }) =>
    client.delete(`/sales-cycles/${(await createLead(client)).sales_cycle.id}`),
  'contact_id is not the contact that the lead was converted to.': async ({ client }) => {
    const { id } = await createLead(client);
    await client.post(`/leads/${id}/convert`, {}).expect(201);
    return client.post(`/leads/${id}/convert`, { contact_id: unknown });
  },
  'contact_id must be the id of an existing contact.': async ({ client }) =>
    client.post(`/leads/${(await createLead(client)).id}/convert`, { contact_id: unknown }),
  'slug is already used by other content.': async ({ client }) => {
    const { slug } = await make(client, content);
    return client.post('/content', { title: 'Seven Ways', type: 'ebook', slug });
  },
  'author_user_id must be the id of an active user.': async ({ client }) => {
    const author_user_id = await createUser(client, { active: false });
    return client.post('/content', { ...content.input(), author_user_id });
  },
  'This content has leads or inbound hooks. Archive it instead.': async ({ client }) => {
    const { id: content_id } = await make(client, content);
    await createLead(client, { content_id });
    return client.delete(`/content/${content_id}`);
  },
  'This user has assigned leads, contacts, content or inbound hooks. Deactivate the user instead.': async ({
    client,
  }) => {
    const assigned_user_id = await createUser(client);
    await createLead(client, { assigned_user_id });
    return client.delete(`/users/${assigned_user_id}`);
  },
  'cursor is too old: events after it are gone, because they are kept for 90 days. Ask for cursor=latest, read the lists again, and continue from that cursor.':
    async ({ sandbox }) => {
      const { body } = await sandbox.get('/events?cursor=latest').expect(200);
      await createLead(sandbox);
      await sandbox.post('/sandbox/reset').expect(200);
      return sandbox.get(`/events?cursor=${body.meta.next_cursor}`);
    },
  'key is declared already for leads.': async ({ client }) => {
    const field = { resource: 'leads', key: 'twice', type: 'number' };
    await client.post('/metadata-fields', field).expect(201);
    return client.post('/metadata-fields', field);
  },
  'event_types is required.': ({ client }) => client.post('/webhooks', { url: 'https://example.com' }),
  'This is the last enabled client with the scope admin. Create or enable another one first.': async ({
    client,
  }) => {
    const { body } = await client.get('/auth/me').expect(200);
    return client.post(`/clients/${body.data.client_id}/disable`);
  },
  '"leads:read" is not granted to the client, which has leads:write.': async ({ client }) => {
    const { id } = await makeApiClient(client);
    return client.post(`/clients/${id}/keys`, { name: 'Zap', scopes: ['leads:read'] });
  },
  'This client is disabled. Enable it first.': async ({ client }) => {
    const { id } = await makeApiClient(client);
    await client.post(`/clients/${id}/disable`).expect(200);
    return client.post(`/clients/${id}/keys`, { name: 'Zap' });
  },
  'url must point to a public address, not to this machine or a private network.': ({ client }) =>
    client.post('/webhooks', { url: 'https://10.0.0.1', event_types: ['*'] }),
  'leads must be at most 100000.': ({ sandbox }) => sandbox.post('/sandbox/seed', { leads: 100_001 }),
  'The sandbox already contains the data of this seed. Reset it, or choose another seed.': async ({
    sandbox,
  }) => {
    await sandbox.post('/sandbox/seed', { seed: 1, leads: 1 }).expect(202);
    return sandbox.post('/sandbox/seed', { seed: 1, leads: 1 });
  },
};
