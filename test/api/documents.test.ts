import express from 'express';
import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Document, readDocument } from '../../src/http/validation/document.ts';
import { parseChangelog } from '../../src/pages/changelog.ts';
import { sendText } from '../../src/pages/send-text.ts';
import { PUBLIC_URL, startTestApp, type TestApp } from '../support/app.ts';
import { TestClient } from '../support/client.ts';

let app: TestApp;
let origin: TestClient;
let contract: Document;
let served: Document;

beforeAll(async () => {
  app = await startTestApp();
  origin = new TestClient(app.url);
  contract = await readDocument();
  served = (await origin.get('/openapi.json').expect(200)).body;
});

afterAll(() => app.close());

describe('/openapi.json', () => {
  it('is OpenAPI 3.1 and names this service: both environments, production first', () => {
    expect(served.openapi).toBe('3.1.0');
    expect(served.info.contact?.url).toBe(`${PUBLIC_URL}/docs/`);
    expect(served.servers?.map(({ url }) => url)).toEqual([`${PUBLIC_URL}/v1`, `${PUBLIC_URL}/sandbox/v1`]);
    expect(served.components?.securitySchemes?.oauth2).toHaveProperty(
      'flows.clientCredentials.tokenUrl',
      `${PUBLIC_URL}/v1/auth/token`,
    );
  });

  it('closes no response to new fields', () => {
    const responses = operations(served).flatMap(({ responses }) => [...reach(served, responses)]);
    expect(responses.length).toBeGreaterThan(100);
    expect(responses.filter(isClosed)).toEqual([]);
    expect([...reach(served, served.webhooks)].filter(isClosed)).toEqual([]);
  });

  it('closes every JSON request to unknown fields, as the contract does, but for what answers have too', () => {
    // Where a pattern allows further names, the served document allows all: generators don't read patterns.
    const isFixed = (node: object) => isClosed(node) && !('patternProperties' in node);
    const fixed = (document: Document) => {
      const answered = new Set(
        operations(document).flatMap(({ responses }) => [...reach(document, responses)]),
      );
      return operations(document).map(
        ({ requestBody }) =>
          [...reach(document, requestBody)].filter((node) => isFixed(node) && !answered.has(node)).length,
      );
    };
    expect(fixed(served)).toEqual(fixed(contract));
    expect(fixed(served).some((count) => count > 0)).toBe(true);
  });

  it('is sent again only when it has changed', async () => {
    const { headers } = await origin.get('/openapi.json').set('Accept-Encoding', 'gzip');
    expect(headers['cache-control']).toBe('no-cache');
    expect(headers['access-control-allow-origin']).toBe('*');
    await origin
      .with({ 'Accept-Encoding': 'gzip', 'If-None-Match': headers.etag ?? '' })
      .get('/openapi.json')
      .expect(304);
    const again = await fetch(`${app.url}/openapi.json`, {
      headers: { 'If-None-Match': headers.etag ?? '' },
    });
    expect(again.status).toBe(304);
    const head = await origin.head('/openapi.json').set('Accept-Encoding', 'gzip').expect(200);
    expect(head.headers['content-length']).toBe(headers['content-length']);
  });
});

describe('/openapi.yaml', () => {
  it('is the same document', async () => {
    const response = await fetch(`${app.url}/openapi.yaml`);
    expect(response.headers.get('content-type')).toBe('application/yaml; charset=utf-8');
    expect(parse(await response.text())).toEqual(served);
  });

  it('is the same for readers of YAML 1.1, which take unquoted timestamps for dates', async () => {
    const text = await (await fetch(`${app.url}/openapi.yaml`)).text();
    expect(parse(text, { version: '1.1' })).toEqual(served);
  });
});

describe('/changelog', () => {
  it('is JSON unless Markdown is preferred', async () => {
    const { body, headers } = await origin.get('/changelog').expect(200);
    expect(headers.vary).toContain('Accept');
    const released = body.data.find(({ version }: { version: string }) => version !== 'Unreleased');
    expect(released).toMatchObject({
      version: served.info.version,
      changes: { added: expect.any(Array) },
    });
    const markdown = await origin.get('/changelog').set('Accept', 'text/markdown, application/json;q=0.5');
    expect(markdown.headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect(markdown.text).toMatch(/^# Changelog\n/);
    expect(parseChangelog(markdown.text)).toEqual(body.data);
  });

  it('knows the versions, their dates and each change', () => {
    const markdown = [
      '# Changelog\n\nIntroduction.\n\n## [1.1.0] - 2027-02-01\n\n### Added\n\n- One,\n  on two lines.\n- Two.\n',
      '### Fixed\n\n- Three.\n\n## 1.0.0 - Unreleased\n',
    ].join('\n');
    expect(parseChangelog(markdown)).toEqual([
      {
        version: '1.1.0',
        date: '2027-02-01',
        changes: { added: ['One, on two lines.', 'Two.'], fixed: ['Three.'] },
      },
      { version: '1.0.0', date: null, changes: {} },
    ]);
  });
});

describe('/llms.txt', () => {
  it('names the documents, every chapter and every operation, with links that work', async () => {
    const { text, headers } = await origin.get('/llms.txt').expect(200);
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(text.startsWith(`# ${served.info.title}\n\n> ${served.info.summary}\n\n`)).toBe(true);
    expect(text).toContain(`\n- Production: ${PUBLIC_URL}/v1\n- Sandbox: ${PUBLIC_URL}/sandbox/v1\n`);
    const links = [...text.matchAll(/^- \[(.+)\]\((\S+)\): \S/gm)].map(([, title, url = '']) => ({
      title,
      url,
    }));
    expect(links.filter(({ url }) => url.includes('/guides/reference/'))).toHaveLength(
      operations(served).length,
    );
    const list = (await origin.get('/guides/').expect(200)).text;
    const listed = [...list.matchAll(/<td><a href="(\/guides\/[\w-]+)"/g)].map(
      ([, path]) => PUBLIC_URL + path,
    );
    const chapters = links
      .map(({ url }) => url)
      .filter((url) => url.includes('/guides/') && !url.includes('/guides/reference/'));
    expect([...chapters, `${PUBLIC_URL}/guides/changelog`]).toEqual(listed);
    const pages = new Set(links.map(({ url }) => url.slice(PUBLIC_URL.length).replace(/#.*/, '')));
    for (const path of pages) await origin.get(path).redirects(1).expect(200);
  });
});

describe('the origin', () => {
  it('says where everything is', async () => {
    const { body } = await origin.get('/').expect(200);
    expect(body.base_urls).toEqual({ production: `${PUBLIC_URL}/v1`, sandbox: `${PUBLIC_URL}/sandbox/v1` });
    for (const url of [body.docs, body.openapi, body.changelog, body.llms_txt]) {
      await origin.get(url.slice(PUBLIC_URL.length)).redirects(1).expect(200);
    }
  });
});

type Operation = { operationId: string; requestBody?: unknown; responses: unknown };

function operations(document: Document): Operation[] {
  return Object.values(document.paths ?? {}).flatMap((item) =>
    Object.values<unknown>(item ?? {}).filter(
      (member): member is Operation => 'operationId' in Object(member),
    ),
  );
}

/** All objects from here on, through references too. */
function* reach(document: Document, node: unknown, seen = new Set<unknown>()): Generator<object> {
  if (typeof node !== 'object' || node === null || seen.has(node)) return;
  seen.add(node);
  yield node;
  if ('$ref' in node && typeof node.$ref === 'string') {
    const names = node.$ref.slice('#/'.length).split('/');
    yield* reach(
      document,
      names.reduce<unknown>((at, name) => Object(at)[name], document),
      seen,
    );
  }
  for (const member of Object.values(node)) yield* reach(document, member, seen);
}

function isClosed(node: object): boolean {
  return 'additionalProperties' in node && node.additionalProperties === false;
}

it('is made once, however many ask for it at the same time, and again if that failed', async () => {
  let made = 0;
  const document = express();
  document.use(
    sendText('text/plain', () => {
      made += 1;
      if (made === 1) throw new Error('The first attempt fails.');
      return 'x';
    }),
  );
  document.use(((_error, _req, res, _next) => res.sendStatus(500)) satisfies express.ErrorRequestHandler);
  await supertest(document).get('/').expect(500);
  const asked = Array.from({ length: 10 }, () => supertest(document).get('/').expect(200));
  expect((await Promise.all(asked)).map(({ text }) => text)).toEqual(Array(10).fill('x'));
  expect(made).toBe(2);
});
