import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../generated/operations.ts';
import { PUBLIC_URL, startTestApp, type TestApp } from '../support/app.ts';
import { TestClient } from '../support/client.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';
const docs = join(import.meta.dirname, '../../docs');
const chapters = readdirSync(docs)
  .filter((name) => name.endsWith('.md'))
  .map((name) => `/guides/${name.replace('.md', '')}`);

let app: TestApp;
let origin: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  origin = new TestClient(app.url);
});

afterAll(() => app.close());

const html = async (path: string) => (await origin.get(path).set('Accept', BROWSER).expect(200)).text;

describe.each(['/', '/changelog'])('%s', (path) => {
  it.each([
    ['*/*', 'application/json'],
    ['application/json', 'application/json'],
    ['application/json, text/html;q=0.9', 'application/json'],
    ['image/png', 'application/json'],
    ['text/html', 'text/html'],
    [BROWSER, 'text/html'],
  ])('is for an Accept of %s: %s', async (accept, mediaType) => {
    const { headers } = await origin.get(path).set('Accept', accept).expect(200);
    expect(headers['content-type']).toBe(`${mediaType}; charset=utf-8`);
    expect(headers.vary).toMatch(/^Accept,/);
  });

  it('is JSON without an Accept, and has an ETag for each form', async () => {
    const response = await fetch(app.url + path, { headers: { Accept: '' } });
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const page = await origin.get(path).set('Accept', BROWSER);
    expect(page.headers.etag).not.toBe(response.headers.get('etag'));
    const again = origin.with({ Accept: BROWSER, 'If-None-Match': page.headers.etag ?? '' });
    await again.get(path).expect(304);
    const head = await origin
      .head(path)
      .set({ Accept: BROWSER, 'Accept-Encoding': 'gzip, deflate' })
      .expect(200);
    expect(head.headers['content-length']).toBe(page.headers['content-length']);
  });
});

it.each(['/changelog', '/guides/webhooks'])('%s is also found with a slash at its end', async (path) => {
  const { headers } = await origin.get(`${path}/`).expect(302);
  expect(new URL(String(headers.location), `${app.url}${path}/`).pathname).toBe(path);
});

describe('the home page', () => {
  it('links to the docs, the guides, the dashboard and the changelog, and names the environments', async () => {
    const page = await html('/');
    for (const url of ['docs', 'guides/', 'dashboard/', 'changelog'])
      expect(page).toContain(`<a href="${url}">`);
    for (const path of ['/v1', '/sandbox/v1']) expect(page).toContain(PUBLIC_URL + path);
    expect((await origin.get('/')).body.guides).toBe(`${PUBLIC_URL}/guides/`);
  });
});

describe('the guides', () => {
  it('are all chapters of docs/ and the tour, in the order of their list', async () => {
    const list = await html('/guides/');
    const linked = [...list.matchAll(/<li><a href="([\w-]+)">/g)].map(([, name]) => `/guides/${name}`);
    expect(linked.toSorted()).toEqual([...chapters, '/guides/tour'].toSorted());
    expect([...list.matchAll(/<h2>(\w+)<\/h2>/g)].map(([, name]) => name)).toEqual([
      'Integrate',
      'Run',
      'Contribute',
    ]);
    for (const [index, path] of linked.entries()) {
      const page = await html(path);
      const neighbour = (rel: string) => new RegExp(`rel="${rel}" href="([\\w-]+)"`).exec(page)?.[1];
      expect(neighbour('prev')).toBe(linked[index - 1]?.slice('/guides/'.length));
      expect(neighbour('next')).toBe(linked[index + 1]?.slice('/guides/'.length));
    }
  });

  it('redirect to their list, and are sent again only when they have changed', async () => {
    await origin.get('/guides').expect(302).expect('Location', 'guides/');
    const { headers } = await origin.get('/guides/webhooks').expect(200);
    expect(headers['cache-control']).toBe('no-cache');
    const again = origin.with({ 'If-None-Match': headers.etag ?? '' });
    await again.get('/guides/webhooks').expect(304);
  });

  it('have no other addresses', async () => {
    for (const path of ['nothing', 'webhooks.html', 'chapters.json', '..%2fchangelog.html', 'Webhooks']) {
      const { body } = await origin.get(`/guides/${path}`).expect(404);
      expect(body.code).toBe('not_found');
    }
  });

  it('say to a browser that a page is missing, with links that work at any depth', async () => {
    const browser = origin.with({ Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    for (const path of ['/guides/nothing', '/guides/nothing/more']) {
      const { text, headers } = await browser
        .get(path)
        .expect(404)
        .expect('Content-Type', /^text\/html/);
      expect(text).toContain('<h1>Page not found</h1>');
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      for (const [, url = ''] of text.matchAll(/ (?:href|src)="([^#"]+)"/g)) {
        const { pathname } = new URL(url, `https://example.com${path}`);
        await browser.get(pathname).expect(({ status }) => expect([200, 302]).toContain(status));
      }
    }
    for (const path of ['/v1/nothing', '/nothing', '/docs/nothing'])
      await browser.get(path).expect('Content-Type', /^application\/json/);
    await browser
      .post('/guides/nothing')
      .expect(404)
      .expect('Content-Type', /^application\/json/);
  });

  it('have no inline scripts or styles', async () => {
    for (const path of ['/', '/changelog', '/guides/', ...chapters]) {
      const page = await html(path);
      expect(page).not.toMatch(/<script(?![^>]* src=)|<style|<[^>]* (?:style|on\w+)=/);
    }
  });

  it('are found by their sections, and operations by their path, summary and description', async () => {
    const { body: entries } = await origin.get('/guides/search.json').expect(200);
    const urls: string[] = entries.map(({ url }: { url: string }) => url);
    expect(new Set(urls).size).toBe(urls.length);
    for (const path of chapters) expect(urls).toContain(path.slice(1));
    expect(entries).toContainEqual(
      expect.objectContaining({
        url: 'guides/webhooks#receive-events',
        title: 'Webhooks',
        heading: 'Receive events',
      }),
    );
    const found = entries.filter((entry: object) => 'operationId' in entry);
    expect(found).toHaveLength(Object.keys(operations).length);
    expect(found).toContainEqual(
      expect.objectContaining({
        url: 'docs#/Inbound%20hooks/createInboundHook',
        title: 'POST /inbound-hooks',
        heading: expect.any(String),
      }),
    );
    for (const { text } of found) expect(text).not.toMatch(/`|\*\*|\]\(/);
  });
});

describe('the links of all pages', () => {
  it('lead to pages that exist, to headings that they have, and to operations of the docs page', async () => {
    const { body: document } = await origin.get('/openapi.json');
    const places = new Set(
      Object.values<Record<string, { tags?: string[]; operationId?: string }>>(document.paths).flatMap(
        (item) =>
          Object.values(item).map(
            ({ tags, operationId }) => `#/${encodeURIComponent(`${tags?.[0]}`)}/${operationId}`,
          ),
      ),
    );
    const pages = new Map<string, string>();
    const load = async (path: string) => {
      const page =
        pages.get(path) ?? (await origin.get(path).set('Accept', BROWSER).redirects(1).expect(200)).text;
      pages.set(path, page);
      return page;
    };
    const missing: string[] = [];
    let toOperations = 0;
    for (const path of ['/', '/changelog', '/dashboard/', '/guides/', '/guides/tour', ...chapters]) {
      const links = (await load(path)).matchAll(/ (?:href|src)="([^"]+)"/g);
      for (const [, link = ''] of new Set(links)) {
        const { origin: host, pathname, hash } = new URL(link.replaceAll('&amp;', '&'), app.url + path);
        if (host !== app.url) continue;
        const target = await load(pathname);
        if (pathname === '/docs' && hash !== '') {
          toOperations += 1;
          if (!places.has(hash)) missing.push(`${path}: ${link}`);
        } else if (hash !== '' && !target.includes(`id="${decodeURIComponent(hash.slice(1))}"`)) {
          missing.push(`${path}: ${link}`);
        }
      }
    }
    expect(missing).toEqual([]);
    expect(toOperations).toBeGreaterThan(50);
    expect(await load('/dashboard/')).toContain('<a href="../guides/dashboard">');
  }, 60_000);

  it('are joined by those of the docs page: each tag has a guide, and so have many operations', async () => {
    for (const path of ['/openapi.json', '/openapi-3.0.json']) {
      const { body: document } = await origin.get(path);
      const operations = Object.values<object>(document.paths).flatMap(Object.values);
      const urls = [...document.tags, ...operations].map(({ externalDocs }) => externalDocs?.url);
      expect(urls.slice(0, document.tags.length)).not.toContain(undefined);
      expect(document.externalDocs).toEqual({ description: 'Guides', url: `${PUBLIC_URL}/guides/` });
      const guides = new Set<string>(urls.filter((url) => url !== undefined));
      expect(guides.size).toBeGreaterThan(50);
      for (const guide of guides) {
        const { origin: host, pathname, hash } = new URL(guide);
        expect(host).toBe(PUBLIC_URL);
        expect(pathname).toMatch(/^\/guides\//);
        const page = await html(pathname);
        if (hash !== '') expect(page, guide).toContain(`id="${hash.slice(1)}"`);
      }
    }
  });

  it('have the same icon, and so have documents that can name none', async () => {
    for (const path of ['/', '/guides/webhooks', '/changelog', '/docs/', '/dashboard/']) {
      const [, icon = ''] = /<link rel="icon"[^>]* href="([^"]+)"/.exec(await html(path)) ?? [];
      const { body } = await origin.get(new URL(icon, app.url + path).pathname).expect(200);
      expect(`${body}`, path).toContain('<svg');
    }
    await origin
      .get('/favicon.ico')
      .expect(200)
      .expect('Content-Type', /^image\//);
  });
});
