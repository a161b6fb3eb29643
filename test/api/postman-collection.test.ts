import { PostmanValidator } from '@har-sdk/validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../generated/operations.ts';
import type { toPostmanCollection } from '../../src/pages/postman-collection.ts';
import { allScopes, PUBLIC_URL, startTestApp, type TestApp } from '../support/app.ts';
import { TestClient } from '../support/client.ts';
import { runCollection } from '../support/postman.ts';

type Collection = ReturnType<typeof toPostmanCollection>;

let app: TestApp;
let collection: Collection;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  collection = (await new TestClient(app.url).get('/postman-collection.json').expect(200)).body;
});

afterAll(() => app.close());

/** As a newcomer enters them, for the sandbox. */
async function values() {
  const { client_id, client_secret } = await app.credentials(allScopes, 'sandbox');
  return { base_url: `${app.url}/sandbox/v1`, client_id, client_secret };
}

describe('/postman-collection.json', () => {
  it('is valid by the schema of Postman', async () => {
    expect(await new PostmanValidator().verify(collection as never)).toEqual([]);
    const broken = { ...collection, item: 'none' };
    expect(await new PostmanValidator().verify(broken as never)).not.toEqual([]);
  });

  it('has each operation once, in the folder of its tag', () => {
    const requests = collection.item.flatMap(({ item }) => item.map(({ request }) => request));
    const templates = requests.map(
      ({ method, url }) => `${method.toLowerCase()} /${url.path.join('/').replaceAll(/:(\w+)/g, '{$1}')}`,
    );
    const documented = Object.values(operations).map(({ method, path }) => `${method} ${path}`);
    expect(templates.sort()).toEqual(documented.sort());
  });

  it('asks for a client and its secret, and knows the rest', () => {
    const empty = collection.variable.filter(({ value }) => value === '').map(({ key }) => key);
    expect(empty).toEqual(['client_id', 'client_secret', 'access_token']);
    expect(collection.variable[0]).toMatchObject({ key: 'base_url', value: `${PUBLIC_URL}/v1` });
    expect(collection.auth.type).toBe('oauth2');
    expect(Object.fromEntries(collection.auth.oauth2.map(({ key, value }) => [key, value]))).toMatchObject({
      grant_type: 'client_credentials',
      accessTokenUrl: '{{base_url}}/auth/token',
      clientId: '{{client_id}}',
      clientSecret: '{{client_secret}}',
    });
  });

  it('contains no secret of an example as a credential', () => {
    expect(JSON.stringify(collection)).not.toContain('lps_live_');
  });

  it('runs from top to bottom: later requests use what earlier ones created', async () => {
    const { sent, tokens } = await runCollection(collection, await values());
    // Only a hook with a verify_token answers a challenge.
    const needsMore = 'Answer the challenge of a sender';
    const failed = sent.filter(({ name, status }) => status >= 300 && name !== needsMore);
    expect(failed).toEqual([]);
    expect(sent).toHaveLength(Object.keys(operations).length);
    expect(tokens).toBe(1);
  });
});
