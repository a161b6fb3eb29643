/** The links of the document: where they lead, and that clients can follow them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allScopes, startTestApp, type TestApp } from '../support/app.ts';
import type { TestClient } from '../support/client.ts';
import { type Endpoint, endpoints, readDocument, takes } from '../support/document.ts';
import { bodyOf, pathOf, typeOf } from '../support/each-request.ts';

interface Link {
  operationId: string;
  parameters: Record<string, string>;
}

const all = endpoints(readDocument());
const byId = new Map(all.map((endpoint) => [endpoint.operationId, endpoint]));

function linksOf({ responses }: Endpoint): Link[] {
  const linked = Object.values(responses) as { links?: Record<string, Link> }[];
  return linked.flatMap(({ links = {} }) => Object.values(links));
}

const creating = all.filter(
  ({ method, operationId }) => method === 'post' && operationId.startsWith('create'),
);

it('a link gives its operation all parameters of the path', () => {
  const linking = all.filter((endpoint) => linksOf(endpoint).length > 0);
  expect(linking.length).toBeGreaterThan(30);
  for (const endpoint of linking) {
    for (const { operationId, parameters } of linksOf(endpoint)) {
      const { path = '', parameters: taken = [] } = byId.get(operationId) ?? {};
      const required = taken.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
      const given = Object.keys(parameters).filter((name) => name !== 'cursor');
      expect(given.toSorted(), `${endpoint.at} → ${path}`).toEqual(required.toSorted());
    }
  }
});

it('every list has a link to its next page', () => {
  const lists = all.filter((endpoint) => takes(endpoint, 'cursor'));
  const targets = lists.map((endpoint) => linksOf(endpoint).map(({ operationId }) => operationId));
  expect(targets).toEqual(lists.map(({ operationId }) => [operationId]));
});

describe('what was created', () => {
  let app: TestApp;
  let client: TestClient;

  beforeAll(async () => {
    app = await startTestApp();
    client = await app.client(allScopes);
  });

  afterAll(() => app.close());

  it.each(creating.filter((endpoint) => linksOf(endpoint).length > 0))(
    'can be read by the links of $operationId',
    async (endpoint) => {
      const services = { app, clients: { production: client, sandbox: client } };
      const target = await pathOf(endpoint, services);
      const created = await client
        .post(target)
        .set('Content-Type', typeOf(endpoint))
        .send(await bodyOf(endpoint, services));
      const values: Record<string, string> = { '$response.body#/data/id': created.body.data.id };
      for (const [index, part] of endpoint.path.split('/').entries()) {
        if (part.startsWith('{'))
          values[`$request.path.${part.slice(1, -1)}`] = target.split('/')[index] ?? '';
      }
      const [link] = linksOf(endpoint).filter(({ operationId }) => byId.get(operationId)?.method === 'get');
      const path = byId.get(link?.operationId ?? '')?.path ?? '';
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => values[link?.parameters[name] ?? ''] ?? 'x');
      const { body } = await client.get(filled).expect(200);
      expect(body.data.id).toBe(created.body.data.id);
    },
  );
});
