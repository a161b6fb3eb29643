/** OWASP API9:2023, improper inventory management: what is served is what is documented, and nothing else. */
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../../generated/operations.ts';
import { allScopes, startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';

let app: TestApp;
let client: TestClient;
/** Outside of the environments. */
let origin: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client(allScopes);
  origin = client.at(app.url);
});

afterAll(() => app.close());

describe('the served document', () => {
  it('has exactly the existing operations', async () => {
    const { body } = await origin.get('/openapi.json').expect(200);
    const served = Object.entries(body.paths as Record<string, Record<string, { operationId?: string }>>);
    const ids = served.flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, { operationId }]) =>
        operationId === undefined ? [] : [`${operationId} ${method} ${path}`],
      ),
    );
    const routed = Object.entries(operations).map(([id, { method, path }]) => `${id} ${method} ${path}`);
    expect(ids.toSorted()).toEqual(routed.toSorted());
  });

  it('names both environments and the version, and the changelog knows each released one', async () => {
    const { body } = await origin.get('/openapi.json').expect(200);
    expect(body.servers).toHaveLength(2);
    for (const { url } of body.servers) expect(url).toMatch(/\/v1$/);
    const { body: changelog } = await origin.get('/changelog').expect(200);
    const versions = changelog.data.map(({ version }: { version: string }) => version);
    const released = readdirSync('openapi/released').filter((name) => name.endsWith('.json'));
    expect(versions.map((version: string) => `${version}.json`)).toEqual(expect.arrayContaining(released));
    expect(versions).toContain(body.info.version);
  });
});

describe('what the origin reveals', () => {
  it('is all there, for anybody', async () => {
    const { body } = await app.anonymous.at(app.url).get('/').expect(200);
    const { base_urls: _, name: _name, version: _version, ...documents } = body as Record<string, string>;
    expect(Object.keys(documents).length).toBeGreaterThan(3);
    for (const url of Object.values(documents)) {
      const path = new URL(url).pathname;
      await origin.get(path).redirects(1).expect(200);
    }
  });
});

describe('nothing is at', () => {
  it.each([
    ...[
      '/v0/leads',
      '/v2/leads',
      '/v1beta/leads',
      '/sandbox/v2/leads',
      '/api/leads',
      '/api/v1/leads',
      '/leads',
    ],
    ...[
      '/admin',
      '/debug',
      '/debug/pprof',
      '/internal',
      '/metrics',
      '/health',
      '/status',
      '/actuator',
      '/console',
    ],
    ...['/graphql', '/swagger', '/swagger.json', '/api-docs', '/v1/docs', '/v1/openapi.json', '/v1/metrics'],
    ...['/.env', '/.git/config', '/.git/HEAD', '/package.json', '/package-lock.json', '/src/server.ts'],
    ...[
      '/.data/credentials.json',
      '/.data/secret.key',
      '/credentials.json',
      '/node_modules/express/package.json',
    ],
    ...['/v1/sandbox/seed', '/v1/sandbox/reset', '/v1/test', '/v1/internal', '/v1/auth/login'],
  ])('%s, even with every scope', async (path) => {
    for (const method of ['get', 'post'] as const) {
      const { body, headers } = await origin[method](path).expect(404);
      expect(body.code).toBe('not_found');
      expect(headers['content-type']).toContain('application/json');
    }
  });
});
