/** The promises that hold for every operation of the contract. */
import { existsSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Response, Test } from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Operation, type OperationId, operations } from '../../generated/operations.ts';
import type { Environment } from '../../src/environment.ts';
import { handlers } from '../../src/operations.ts';
import { allScopes, startTestApp, type TestApp } from '../support/app.ts';
import type { TestClient } from '../support/client.ts';
import { endpoints, readDocument } from '../support/document.ts';

const documented = new Map(endpoints(readDocument()).map((endpoint) => [endpoint.operationId, endpoint]));
const all = Object.entries<Operation>(operations) as [OperationId, Operation][];
const scoped = all.filter(([, { scopes: needed }]) => needed?.[0] !== undefined && needed[0].length > 0);
const withId = all.filter(([, { path }]) => path.includes('{id}'));
const withBody = all.filter(([, { consumes }]) => consumes.length > 0);

const ajv = new Ajv2020({ strict: false, code: { optimize: false } });
addFormats.default(ajv);

let app: TestApp;
let clients: Record<Environment, TestClient>;
/** The token in a hook's URL, for each environment. */
let tokens: Record<Environment, string>;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  clients = { production: await app.client(allScopes), sandbox: await app.client(allScopes, 'sandbox') };
  tokens = { production: await makeHook(clients.production), sandbox: await makeHook(clients.sandbox) };
});

afterAll(() => app.close());

const withScopes = new Map<string, Promise<TestClient>>();

/** One client for all operations that are tested with these scopes. */
function clientWith(granted: readonly string[], environment: Environment): Promise<TestClient> {
  const key = `${environment} ${granted}`;
  const made = withScopes.get(key) ?? app.client([...granted], environment);
  withScopes.set(key, made);
  return made;
}

async function makeHook(client: TestClient): Promise<string> {
  const { body } = await client.post('/inbound-hooks', { name: 'Contact form' }).expect(201);
  return body.data.url.split('/').at(-1);
}

/** The environment for testing the operation: production if it exists there. */
function environmentOf({ environments }: Operation): Environment {
  return environments.includes('production') ? 'production' : 'sandbox';
}

function pathOf(operation: Operation, id = 'lead_01h455vb4pex5vsknk084sn02q'): string {
  // What one method creates, another one must not find.
  const path = operation.path.replace('{external_id}', `${operation.method}-id`);
  return path.replace('{id}', id).replace('{token}', tokens[environmentOf(operation)]);
}

interface Sent {
  query?: string;
  id?: string;
  method?: string;
}

/** Sends the body of the operation's example, by default for a lead that does not exist. */
function send(as: TestClient, [id, operation]: [OperationId, Operation], sent: Sent = {}): Test {
  const path = pathOf(operation, sent.id) + (sent.query ?? '');
  const method = sent.method ?? operation.method;
  const [type = '', body] = Object.entries(documented.get(id)?.bodies ?? {})[0] ?? [];
  const example = body?.example ?? Object.values(body?.examples ?? {})[0]?.value;
  const request = as[method as 'get'](path);
  return example === undefined ? request : request.type(type).send(example as object);
}

/** Checks that the answer is as documented: its status, its body, and the headers of every answer. */
function checkDocumented({ status, body, text, headers }: Response, id: OperationId): void {
  const response = documented.get(id)?.responses[status];
  const environment = environmentOf(operations[id]);
  expect(response, `${id} documents ${status}`).toBeDefined();
  expect(headers).toMatchObject({ 'x-request-id': expect.any(String), 'x-environment': environment });
  const types = Object.keys(response?.content ?? {});
  const schema = response?.content?.['application/json']?.schema;
  if (types.length === 0) expect(text).toBe('');
  else if (schema === undefined) expect(types).toContain(headers['content-type']?.split(';')[0]);
  else expect(ajv.validate(schema, body), ajv.errorsText()).toBe(true);
}

/** The others share a handler created by a function, such as `getOne(leads, toLead)`, and have no name. */
const withOwnHandler = all.filter(([id]) => handlers[id].name === id);

it.each(withOwnHandler)('the handler of %s and its test are in files of its name', (id, { path }) => {
  const [, first = ''] = path.split('/');
  const folders: Record<string, string> = {
    'event-types': 'events',
    hooks: 'inbound-hooks',
    erasures: 'privacy',
    people: 'privacy',
  };
  const folder = id === 'deleteUser' ? 'privacy' : (folders[first] ?? first);
  const file = id.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  for (const path of [`src/${folder}/${file}.ts`, `test/api/${folder}/${file}.test.ts`]) {
    expect(existsSync(new URL(`../../${path}`, import.meta.url)), path).toBe(true);
  }
});

describe.each(all)('%s', (id, operation) => {
  const environment = environmentOf(operation);

  it('rejects an unknown query parameter and names it', async () => {
    const answer = await send(clients[environment], [id, operation], { query: '?nonsense=1' }).expect(400);
    checkDocumented(answer, id);
    expect(answer.body.errors).toEqual({ nonsense: ['nonsense is not a parameter of this operation.'] });
  });

  it('rejects a request for HTML, unless a token or a lead would be lost', async () => {
    const answer = await send(clients[environment], [id, operation]).set('Accept', 'text/html');
    checkDocumented(answer, id);
    const isRefused = answer.body.code === 'not_acceptable';
    expect([answer.status === 406, isRefused]).toEqual(Array(2).fill(operation.scopes !== null));
  });

  it('ignores the parameters of its media type in Accept', async () => {
    const type = operation.produces[0] ?? 'application/json';
    const plain = await send(clients[environment], [id, operation]).set('Accept', type);
    for (const parameters of [';charset=UTF-8', '; charset="utf-8"; q=0.5', ';header=present;x="a,b;c"']) {
      const answer = await send(clients[environment], [id, operation]).set('Accept', type + parameters);
      expect([answer.status === 406, answer.type]).toEqual([false, plain.type]);
    }
  });

  it('shows the remaining quota of its class', async () => {
    const answer = await send(clients[environment], [id, operation]);
    checkDocumented(answer, id);
    const name = { token: 'token-ip' }[operation.rateLimit as string] ?? operation.rateLimit;
    expect(answer.headers['ratelimit-policy']).toContain(`"${name}"; q=1000000; w=60`);
    expect(answer.headers.ratelimit).toMatch(new RegExp(`"${name}"; r=\\d+; t=\\d+`));
  });

  it('rejects other methods and lists the available ones', async () => {
    const allowed = all.filter(([, { path }]) => path === operation.path).map(([, { method }]) => method);
    for (const method of (['get', 'post', 'put', 'patch', 'delete'] as const).filter(
      (m) => !allowed.includes(m as never),
    )) {
      const { body, headers } = await send(clients[environment], [id, operation], { method }).expect(405);
      expect(body).toMatchObject({ code: 'method_not_allowed', request_id: headers['x-request-id'] });
      const expected = [...allowed, 'options', ...(allowed.includes('get') ? ['head'] : [])];
      expect(headers.allow?.toLowerCase().split(', ').sort()).toEqual(expected.sort());
    }
  });
});

describe.each(scoped)('%s, which needs a scope', (id, operation) => {
  const [needed = []] = operation.scopes ?? [];
  const coarse = new Set(needed.map((scope) => scope.slice(scope.indexOf(':') + 1)));
  const environment = environmentOf(operation);

  it.each([[needed], [[...coarse]]])('accepts the scopes %j', async (enough) => {
    const answer = await send(await clientWith(enough, environment), [id, operation]);
    checkDocumented(answer, id);
    expect([401, 403]).not.toContain(answer.status);
  });
});

describe.each(withId)('%s, which names a resource', (id, operation) => {
  it.each([
    'lead_01h455vb4pex5vsknk084sn02q',
    'lead_x',
    'user_01h455vb4pex5vsknk084sn02q',
    '7',
    '%00',
    '%zz',
  ])('answers 404 to %s', async (unknown) => {
    const answer = await send(clients.production, [id, operation], { id: unknown }).expect(404);
    checkDocumented(answer, id);
    expect(answer.body.code).toBe('not_found');
  });
});

describe.each(withBody)('%s, which takes a body', (id, operation) => {
  // An inbound hook takes forms in any charset.
  const others = operation.rawBody
    ? []
    : ['multipart/form-data; boundary=x', 'application/json; charset=utf-16'];

  // A file of text may be CSV.
  const text = operation.consumes.includes('text/csv') ? [] : ['text/plain'];

  it.each([...text, 'application/xml', ...others])('rejects %s', async (type) => {
    const example = JSON.stringify(Object.values(documented.get(id)?.bodies ?? {})[0]?.example ?? {});
    const answer = await clients[environmentOf(operation)]
      [operation.method as 'post'](pathOf(operation), example)
      .type(type)
      .expect(415);
    checkDocumented(answer, id);
    expect(answer.body.code).toBe('unsupported_media_type');
  });
});

describe.each(withBody.filter(([, { method }]) => method === 'patch'))('%s, a change', (id, operation) => {
  it.each(['application/json', 'application/merge-patch+json'])('reads and checks %s', async (type) => {
    const answer = await clients[environmentOf(operation)]
      .patch(pathOf(operation), { unknown: 1 })
      .type(type)
      .expect(422);
    checkDocumented(answer, id);
    expect(answer.body.code).toBe('validation_failed');
  });
});
