/** Makes an operation return each status that it documents. */
import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { basePaths } from '../../src/environment.ts';
import type { TestApp } from './app.ts';
import type { TestClient } from './client.ts';
import { type Endpoint, takes } from './document.ts';
import { bodyOf, pathOf, type Services, secret, typeOf } from './each-request.ts';
import { makeHook } from './hooks.ts';
import { tooLargeFile } from './imports.ts';
import { contacts, leads, make, type TestResource, users } from './resources.ts';
import { uuidOf } from './webhooks.ts';

/** A browser's form, which a hook sends on. */
async function redirected(client: TestClient, { body }: { body: object | string }) {
  const { token } = await makeHook(client, { redirect_url: 'https://www.example.com/thanks' });
  const form = new URLSearchParams(body as Record<string, string>).toString();
  return client.with({ Accept: 'text/html' }).post(`/hooks/${token}`, form).redirects(0).type('form');
}

/** The operation's responses by status. 2xx stands for any success. */
export async function* eachAnswer(
  endpoint: Endpoint,
  services: Services,
): AsyncGenerator<[status: string, Response]> {
  const { app, clients, others } = services;
  const { method, path, operationId, responses, bodies, security } = endpoint;
  const environment = endpoint['x-environments'] ? 'sandbox' : 'production';
  const { production } = clients;
  const client = clients[environment];
  const takesBody = Object.keys(bodies).length > 0;
  const target = await pathOf(endpoint, services);

  async function send(
    headers: Record<string, string> = {},
    body?: object | string,
    to = target,
    as = client,
  ) {
    const request = as.with({ 'X-Secret': secret, ...headers })[method as 'get'](to);
    if (!takesBody) return request;
    const given = body ?? (await bodyOf(endpoint, services));
    return request.set('Content-Type', headers['Content-Type'] ?? typeOf(endpoint)).send(given);
  }
  const sendTo = (other: TestApp, as = client) =>
    send({}, undefined, target, as.at(other.url + basePaths[environment]));

  if ('303' in responses) yield ['303', await redirected(client, { body: await bodyOf(endpoint, services) })];
  if ('304' in responses) yield ['304', await send({ 'If-None-Match': '*' })];
  const more = target.includes('?') ? '&' : '?';
  yield ['400', await send({}, undefined, `${target}${more}nonsense=1`)];
  if (security?.length !== 0) yield ['401', await sendTo(app, app.anonymous)];
  else if (operationId === 'answerHookChallenge') yield ['401', await send({}, undefined, `${target}x`)];
  else if ('401' in responses) {
    const wrong = { client_id: 'x', client_secret: 'x' };
    const grant = operationId === 'createToken' ? { grant_type: 'client_credentials' } : { token: 'x' };
    yield ['401', await send({ 'X-Secret': 'x' }, { ...grant, ...wrong })];
  }
  const isScoped = security?.some(({ oauth2 = [] }) => oauth2.length > 0);
  if (isScoped) {
    const needless = path.startsWith('/analytics/') ? 'events:read' : 'analytics:read';
    yield ['403', await send({}, undefined, target, await app.client([needless], environment))];
  }
  yield ['403', await sendTo(others.proxied)];
  if (environment === 'sandbox') yield ['404', await send({}, undefined, target, production)];
  else if ('404' in responses && path.includes('{'))
    yield [
      '404',
      await send(
        {},
        undefined,
        path.replaceAll(/{\w+}/g, (name) => (name === '{external_id}' ? 'x' : 'x'.repeat(129))),
      ),
    ];
  if ('406' in responses) yield ['406', await send({ Accept: 'text/html' })];
  if (['disableClient', 'updateClient'].includes(operationId))
    yield ['409', await disableLastAdmin(services)];
  if ('410' in responses && path !== '/events') {
    const gone = await mergedAway(path, clients);
    const merged = path.replaceAll(/{\w+}/g, (name) => gone[name] ?? 'x');
    const about = path === '/notes' ? { contact_id: gone['{id}'], text: 'Called back.' } : undefined;
    const query = about && !takesBody ? `?contact_id=${about.contact_id}` : '';
    yield ['410', await send({}, about, merged + query)];
  } else if ('410' in responses) yield ['410', await expired(endpoint, services)];
  if ('412' in responses) yield ['412', await send({ 'If-Match': '"4711"' })];
  const takesFile = operationId === 'createImport';
  const tooLarge: Record<string, string> = takesFile ? tooLargeFile : {};
  const limit = takesFile ? 1 : (endpoint['x-body-limit'] ?? 300_000);
  if ('413' in responses) yield ['413', await send(tooLarge, `"${'x'.repeat(limit)}"`)];
  yield ['414', await send({}, undefined, `${target}${more}${'x'.repeat(8_200)}`)];
  if ('415' in responses)
    yield ['415', await send({ 'Content-Type': takesFile ? 'image/png' : 'text/plain' }, 'x')];
  const invalid = takesFile ? '{' : '{"\\u0000":1}';
  if (takesBody && '422' in responses) yield ['422', await send({}, invalid)];
  if (takes(endpoint, 'Acting-User')) yield ['422', await send({ 'Acting-User': 'user_x' })];
  const key = { 'Idempotency-Key': randomUUID() };
  if (takes(endpoint, 'Idempotency-Key')) {
    const other = environment === 'sandbox' ? users : leads;
    await client.with(key).post(`${other.path}`, other.input('Somebody else')).expect(201);
    yield ['422', await send(key)];
  }
  if (['deleteUser', 'deleteContent'].includes(operationId)) {
    const field = operationId === 'deleteUser' ? 'assigned_user_id' : 'content_id';
    const { id } = await make(client, leads, { [field]: target.split('/').at(-1) });
    yield ['409', await send()];
    await client.delete(`/leads/${id}`).expect(204);
  }
  yield ['429', await sendTo(others.limited)];
  yield ['431', await send({ 'X-Large': 'x'.repeat(30_000) })];
  yield ['503', await sendTo(others.lost)];
  yield ['500', await sendTo(others.broken)];
  const again = { 'Idempotency-Key': randomUUID() };
  const body = await bodyOf(endpoint, services);
  yield ['2xx', await send(again, body)];
  if (takes(endpoint, 'Idempotency-Key')) yield ['2xx', await send(again, body)];
  if (operationId === 'convertLead') yield ['2xx', await send({}, {})];
}

async function disableLastAdmin({ app, clients: { production } }: Services): Promise<Response> {
  const { body: me } = await production.get('/auth/me').expect(200);
  const ownId = me.data.client_id;
  const admins = app.production.knex('api_clients').whereRaw(`'admin' = any(scopes)`);
  await admins.whereNot('id', uuidOf(ownId)).update({ disabled_at: new Date().toISOString() });
  return production.post(`/clients/${ownId}/disable`);
}

/** The id and the external id of a lead or contact that was merged into another one. */
async function mergedAway(
  path: string,
  { production: client }: Services['clients'],
): Promise<Record<string, string>> {
  const resource: TestResource<{ id: string }> = path.startsWith('/leads') ? leads : contacts;
  const external_id = randomUUID();
  const stays = await make(client, resource, { external_id: randomUUID() });
  const { id } = await make(client, resource, { external_id });
  await client.post(`${resource.path}/${stays.id}/merge`, { [`${resource.prefix}_id`]: id }).expect(200);
  return { '{id}': id, '{external_id}': external_id };
}

/** As after 90 days. */
async function expired(
  { path }: Endpoint,
  { app, clients: { production: client } }: Services,
): Promise<Response> {
  const move = (by: number) =>
    app.production.knex.raw('update event_retention set dropped_through = dropped_through + ?', [by]);
  const { body } = await client.get('/events?per_page=1').expect(200);
  await move(1_000_000);
  const answer = await client.get(`${path}?cursor=${body.meta.next_cursor}`);
  await move(-1_000_000);
  return answer;
}
