import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../../generated/operations.ts';
import { apiClients } from '../../support/api-clients.ts';
import { allScopes, startTestApp, type TestApp } from '../../support/app.ts';
import { createJob } from '../../support/bulk-jobs.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead } from '../../support/factories.ts';
import { formInput, makeHook, sendIn } from '../../support/hooks.ts';
import { send as sendFile } from '../../support/imports.ts';
import { metadataFields } from '../../support/metadata-fields.ts';
import { contacts, content, make, type TestResource, users } from '../../support/resources.ts';
import { webhooks } from '../../support/webhooks.ts';

const readable = Object.values(operations).filter(({ method }) => method === 'get');

let app: TestApp;
let client: TestClient;
/** The URL of one resource of each kind, by its path in the document. */
let addresses: Record<string, string>;
let lead: string;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client(allScopes);
  const { id } = await createLead(client, { external_id: 'crm-4711' });
  lead = `/leads/${id}`;
  const add = async <Data extends { id: string }>(resource: TestResource<Data>) =>
    `${resource.path}/${(await make(client, resource)).id}`;
  const verification = { type: 'none', verify_token: 'a-token-of-theirs' };
  const hook = await makeHook(client, { verification });
  const user = await make(client, users, { external_id: 'hr-1906' });
  const { delivery_id } = await sendIn(app, hook, formInput());
  const webhook = await add(webhooks);
  const delivery = await client.post(`${webhook}/test`).expect(202);
  const period = { from: '2026-11-20', to: '2026-11-20' };
  const replay = await client.post(`${webhook}/replays`, period).expect(202);
  const apiClient = await add(apiClients);
  const { body: key } = await client.post(`${apiClient}/keys`, { name: 'Zap' }).expect(201);
  const contact = await add(contacts);
  await client.patch(contact, { external_id: 'crm-4711' }).expect(200);
  const piece = await add(content);
  const { body: erasure } = await client.post('/erasures', { email: 'nobody@example.com' }).expect(201);
  const filter = { tag: ['nobody'] };
  const job = await createJob(client, { resource: 'leads', filter, action: { delete: true } });
  const file = await sendFile(client, 'name,email\nAda,ada@example.com\n', 'start=false');
  const { body: note } = await client
    .post('/notes', { lead_id: lead.replace('/leads/', ''), text: 'Called back.' })
    .expect(201);
  const { body: cycles } = await client.get('/sales-cycles').expect(200);
  const { body: log } = await client.get('/events').expect(200);
  const challenge = 'hub.mode=subscribe&hub.challenge=4711&hub.verify_token=a-token-of-theirs';
  addresses = {
    '/hooks/{token}': `/hooks/${hook.token}?${challenge}`,
    '/leads/{id}': lead,
    '/leads/external/{external_id}': '/leads/external/crm-4711',
    '/leads/{id}/events': `${lead}/events`,
    '/leads/{id}/status-changes': `${lead}/status-changes`,
    '/metadata-fields/{id}': await add(metadataFields),
    '/notes/{id}': `/notes/${note.data.id}`,
    '/sales-cycles/{id}': `/sales-cycles/${cycles.data[0].id}`,
    '/contacts/external/{external_id}': '/contacts/external/crm-4711',
    '/contacts/{id}': contact,
    '/contacts/{id}/events': `${contact}/events`,
    '/content/{id}': piece,
    '/content/{id}/events': `${piece}/events`,
    '/users/external/{external_id}': '/users/external/hr-1906',
    '/users/{id}': `/users/${user.id}`,
    '/bulk-jobs/{id}': `/bulk-jobs/${job.id}`,
    '/bulk-jobs/{id}/errors': `/bulk-jobs/${job.id}/errors`,
    '/erasures/{id}': `/erasures/${erasure.data.id}`,
    '/imports/{id}': `/imports/${file.id}`,
    '/imports/{id}/errors': `/imports/${file.id}/errors`,
    '/imports/{id}/rows': `/imports/${file.id}/rows`,
    '/imports/{id}/rejected-rows': `/imports/${file.id}/rejected-rows`,
    '/clients/{id}': apiClient,
    '/clients/{id}/keys': `${apiClient}/keys`,
    '/clients/{id}/keys/{key_id}': `${apiClient}/keys/${key.data.id}`,
    '/events/{id}': `/events/${log.data[0].id}`,
    '/webhooks/{id}': webhook,
    '/webhooks/{id}/deliveries': `${webhook}/deliveries`,
    '/webhooks/{id}/deliveries/{delivery_id}': `${webhook}/deliveries/${delivery.body.data.id}`,
    '/webhooks/{id}/replays': `${webhook}/replays`,
    '/webhooks/{id}/replays/{replay_id}': `${webhook}/replays/${replay.body.data.id}`,
    '/inbound-hooks/{id}': hook.path,
    '/inbound-hooks/{id}/deliveries': `${hook.path}/deliveries`,
    '/inbound-hooks/{id}/deliveries/{delivery_id}': `${hook.path}/deliveries/${delivery_id}`,
  };
});

afterAll(() => app.close());

describe('HEAD', () => {
  it.each(readable.map(({ path }) => path))('gives the headers of GET without its body: %s', async (path) => {
    const at = addresses[path] ?? path;
    const get = await client.get(at).expect(200);
    const head = await client.head(at).expect(200);
    const steady = ({ headers }: typeof get) => {
      // For a response of unknown length, HEAD may leave out Transfer-Encoding (RFC 9110 section 9.3.2).
      const {
        date: _,
        ratelimit: _left,
        'x-request-id': _id,
        'transfer-encoding': _encoding,
        ...rest
      } = headers;
      return rest;
    };
    expect(steady(head)).toEqual(steady(get));
    if (!/\/(export|rejected-rows)$/.test(path))
      expect(Number(head.headers['content-length'])).toBeGreaterThan(0);
    expect(head.text ?? '').toBe('');
  });

  it('fails as GET does, and honours If-None-Match', async () => {
    await client.head('/leads?per_page=101').expect(400);
    await client.head('/leads/lead_x').expect(404);
    await app.anonymous.head('/leads').expect(401);
    const { headers } = await client.head(lead).set('If-None-Match', '"1"').expect(304);
    expect(headers.etag).toBe('"1"');
  });

  it('is not possible where GET is not', async () => {
    const { headers } = await app.anonymous.head('/auth/token').expect(405);
    expect(headers.allow).toBe('POST, OPTIONS');
  });
});

describe('OPTIONS', () => {
  it.each([
    ['/leads', 'GET, POST, OPTIONS, HEAD'],
    ['/leads/lead_01h455vb4pex5vsknk084sn02q', 'GET, PATCH, DELETE, OPTIONS, HEAD'],
    ['/auth/token', 'POST, OPTIONS'],
  ])('needs no credential and lists the methods of %s', async (path, methods) => {
    const { headers, text } = await app.anonymous.options(path).expect(204);
    expect(headers.allow?.split(', ').sort()).toEqual(methods.split(', ').sort());
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['x-request-id']).toBeDefined();
    expect(text).toBe('');
  });

  it('lets a page of any origin make the request that it asks about', async () => {
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
      const { headers } = await app.anonymous
        .options(method === 'GET' || method === 'POST' ? '/leads' : lead)
        .set('Origin', 'https://app.example.com')
        .set('Access-Control-Request-Method', method)
        .set(
          'Access-Control-Request-Headers',
          'authorization,content-type,idempotency-key,if-match,x-api-key',
        )
        .expect(204);
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers['access-control-allow-methods']?.split(',')).toContain(method);
      expect(headers['access-control-allow-headers']).toBe(
        'authorization,content-type,idempotency-key,if-match,x-api-key',
      );
      expect(headers['access-control-max-age']).toBe('86400');
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    }
  });

  it('is 404 for an unknown path', async () => {
    expect((await app.anonymous.options('/nothing').expect(404)).body.code).toBe('not_found');
  });
});

describe('an answer to another origin', () => {
  it('shows every header of ours, whether it is a success or an error', async () => {
    const ours = [
      'allow',
      'deprecation',
      'etag',
      'idempotency-replayed',
      'link',
      'location',
      'ratelimit',
      'ratelimit-policy',
      'retry-after',
      'sunset',
      'www-authenticate',
      'x-environment',
      'x-request-id',
    ];
    for (const answer of [
      await client.get('/leads').set('Origin', 'https://app.example.com').expect(200),
      await app.anonymous.get('/leads').set('Origin', 'null').expect(401),
      await client.get('/nothing').set('Origin', 'https://app.example.com').expect(404),
      await app.anonymous.at(app.url).get('/livez').set('Origin', 'https://app.example.com').expect(200),
    ]) {
      expect(answer.headers['access-control-allow-origin']).toBe('*');
      expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
      const exposed = answer.headers['access-control-expose-headers']?.toLowerCase().split(',');
      expect(exposed).toEqual(expect.arrayContaining(ours));
    }
  });

  it('has headers that stop browsers from guessing, and none that reveals the software', async () => {
    const { headers } = await client.get('/leads').expect(200);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['strict-transport-security']).toMatch(/^max-age=\d{8,}/);
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('server');
    expect(headers).not.toHaveProperty('set-cookie');
  });
});

describe('plain HTTP', () => {
  it('is refused where it reached the proxy that way, health checks apart', async () => {
    const proxied = await startTestApp({ sandbox: true, trustProxy: 1 });
    try {
      const via = (proto: string) =>
        proxied.anonymous.with({ 'X-Forwarded-Proto': proto, 'X-Forwarded-For': '198.51.100.1' });
      const { body } = await via('http').post('/auth/token', {}).expect(403);
      expect(body).toMatchObject({
        code: 'https_required',
        request_id: expect.stringMatching(/./),
        error: expect.stringMatching(/./),
        error_description: expect.stringMatching(/./),
      });
      await via('http').at(`${proxied.url}/sandbox/v1`).get('/leads').expect(403);
      await via('https').get('/leads').expect(401);
      for (const path of ['/livez', '/readyz']) await via('http').at(proxied.url).get(path).expect(200);
    } finally {
      await proxied.close();
    }
  });
});

describe('Accept-Patch', () => {
  const types = 'application/json, application/merge-patch+json';

  it('is in the response to OPTIONS if the path has a PATCH', async () => {
    const { id } = await createLead(client);
    const { headers } = await app.anonymous.options(`/leads/${id}`).expect(204);
    expect(headers['accept-patch']).toBe(types);
    expect((await app.anonymous.options('/leads').expect(204)).headers).not.toHaveProperty('accept-patch');
  });

  it('is in a 415 of a PATCH, and of no other method', async () => {
    const { id } = await createLead(client);
    const { headers } = await client.patch(`/leads/${id}`, 'x').type('text/plain').expect(415);
    expect(headers['accept-patch']).toBe(types);
    expect((await client.post('/leads', 'x').type('text/plain').expect(415)).headers).not.toHaveProperty(
      'accept-patch',
    );
  });
});
