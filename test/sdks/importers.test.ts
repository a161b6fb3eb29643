/** Programs for sending requests import the served documents, with the settings of docs/authentication.md. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { operations } from '../../generated/operations.ts';
import { PUBLIC_URL, startTestApp, type TestApp } from '../support/app.ts';
import { TestClient } from '../support/client.ts';
import { readDocument } from '../support/document.ts';
import { createWorkshop, execute } from './tools.ts';

const tags = readDocument().tags.map(({ name }) => name);
const all = Object.keys(operations).length;

let app: TestApp;
let workshop: Awaited<ReturnType<typeof createWorkshop>>;

beforeAll(async () => {
  app = await startTestApp();
  workshop = await createWorkshop();
});

afterAll(async () => {
  await app.close();
  await workshop.remove();
});

interface Importer {
  packages: Record<string, string>;
  path: string;
  /** The program's body. It has the document's text in `text`, and returns what was imported. */
  program: string;
}

async function imported({ packages, path, program }: Importer) {
  const [name = ''] = Object.keys(packages);
  const folder = await workshop.install(name.replaceAll(/\W/g, '-'), packages);
  const { body } = await new TestClient(app.url).get(path).expect(200);
  await writeFile(join(folder, 'document.json'), JSON.stringify(body));
  const source = `import { readFileSync, writeFileSync } from 'node:fs';
    import * as library from '${name}';
    const importer = library.default ?? library;
    const text = readFileSync('document.json', 'utf8');
    const run = async () => { ${program} };
    writeFileSync('imported.json', JSON.stringify(await run()));`;
  await writeFile(join(folder, 'import.mjs'), source);
  await execute(folder, process.execPath, ['import.mjs']);
  return JSON.parse(await readFile(join(folder, 'imported.json'), 'utf8'));
}

it('Postman gets the folders, one authentication and no optional parameter', async () => {
  const { item, auth, variable } = await imported({
    packages: { 'openapi-to-postmanv2': '6.3.3' },
    path: '/openapi.json',
    program: `const options = { parametersResolution: 'Example', folderStrategy: 'Tags',
        enableOptionalParameters: false, alwaysInheritAuthentication: true };
      return new Promise((resolve, reject) => importer.convertV2({ type: 'string', data: text }, options,
        (error, { result, reason, output } = {}) =>
          result ? resolve(output[0].data) : reject(error ?? new Error(reason))));`,
  });
  expect(item.map(({ name }: Named) => name)).toEqual(tags);
  const requests: PostmanRequest[] = item.flatMap(requestsIn);
  expect(requests).toHaveLength(all);
  expect(requests.filter(({ auth }) => auth)).toEqual([]);
  expect(auth.type).toBe('oauth2');
  expect(auth.oauth2).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ key: 'grant_type', value: 'client_credentials' }),
      expect.objectContaining({ key: 'accessTokenUrl', value: `${PUBLIC_URL}/v1/auth/token` }),
    ]),
  );
  expect(variable).toMatchObject([{ key: 'baseUrl', value: `${PUBLIC_URL}/v1` }]);
  const create = requests.find(({ name }) => name === 'Create a lead');
  expect(JSON.parse(create?.body?.raw ?? '')).toEqual({ name: 'Ada Lovelace', email: 'ada@example.com' });
  const sent = requests.flatMap(({ header = [] }) => header.filter(({ disabled }) => !disabled));
  expect(new Set(sent.map(({ key }) => key))).toEqual(new Set(['Accept', 'Content-Type']));
}, 400_000);

it('Bruno gets the folders, one authentication and both environments', async () => {
  const { items, root, environments } = await imported({
    packages: { '@usebruno/converters': '0.23.0' },
    path: '/openapi.json',
    program: `return importer.openApiToBruno(JSON.parse(text), { groupBy: 'tags' });`,
  });
  // Names of folders, so without spaces and apostrophes.
  expect(new Set(items.map(({ name }: Named) => name))).toEqual(
    new Set(tags.map((name) => name.replaceAll(/[ ']/g, '_'))),
  );
  expect(items.flatMap(({ items }: { items: unknown[] }) => items)).toHaveLength(all);
  expect(root.request.auth).toMatchObject({
    mode: 'oauth2',
    oauth2: {
      grantType: 'client_credentials',
      accessTokenUrl: `${PUBLIC_URL}/v1/auth/token`,
      clientId: '{{oauth_client_id}}',
      clientSecret: '{{oauth_client_secret}}',
    },
  });
  expect(environments.map(({ name }: Named) => name)).toEqual(['Production', 'Sandbox']);
}, 400_000);

it('Insomnia gets the folders and the authentication, but bodies of all fields, and a key that is none', async () => {
  const resources = (await imported({
    packages: { 'insomnia-importers': '3.6.0' },
    path: '/openapi-3.0.json',
    program: 'return (await importer.convert(text)).data.resources;',
  })) as (Named & Record<string, unknown>)[];
  const folders = resources.filter(({ _type }) => _type === 'request_group');
  expect(folders.map(({ name }) => name)).toEqual(tags);
  expect(resources.filter(({ _type }) => _type === 'request')).toHaveLength(all);
  expect(resources.find(({ name }) => name === 'Create a lead')).toMatchObject({
    authentication: { type: 'oauth2', grantType: 'client_credentials' },
    body: { text: expect.stringContaining('"status": "string"') },
    headers: expect.arrayContaining([{ name: 'X-API-Key', disabled: false, value: '{{ xApiKey }}' }]),
  });
}, 400_000);

interface Named {
  name: string;
}

interface PostmanRequest extends Named {
  auth?: unknown;
  header?: { key: string; disabled?: boolean }[];
  body?: { raw: string };
}

interface PostmanItem extends Named {
  item?: PostmanItem[];
  request?: Omit<PostmanRequest, 'name'>;
}

function requestsIn({ name, item, request }: PostmanItem): PostmanRequest[] {
  return item === undefined ? [{ ...request, name }] : item.flatMap(requestsIn);
}
