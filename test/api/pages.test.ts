/** The pages, as `npm run build` has built them. */
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

describe.each([
  ['/', '/guides/'],
  ['/changelog', '/guides/changelog'],
])('%s', (path, page) => {
  it.each(['*/*', 'application/json', 'application/json, text/html;q=0.9', 'image/png'])(
    'is JSON for an Accept of %s',
    async (accept) => {
      const { headers } = await origin.get(path).set('Accept', accept).expect(200);
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(headers.vary).toMatch(/^Accept,/);
    },
  );

  it.each(['text/html', BROWSER])(`leads to ${page} for an Accept of %s`, async (accept) => {
    const { headers } = await origin.get(path).set('Accept', accept).expect(302);
    expect(headers.location).toBe(page);
    expect(headers.vary).toMatch(/^Accept/);
    expect(await html(page)).toContain('<h1');
  });

  it('is JSON without an Accept, with an ETag', async () => {
    const response = await fetch(app.url + path, { headers: { Accept: '' } });
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const again = origin.with({ Accept: '', 'If-None-Match': response.headers.get('etag') ?? '' });
    await again.get(path).expect(304);
  });
});

describe('the guides', () => {
  it('list all chapters of docs/, the tour, and the reference: a page for each tag, and one for the codes of errors', async () => {
    const list = await html('/guides/');
    const linked = [...list.matchAll(/<td><a href="(\/guides\/[\w/-]+)"/g)].map(([, path]) => path);
    const { body: document } = await origin.get('/openapi.json');
    expect(linked).toEqual(expect.arrayContaining([...chapters, '/guides/tour', '/guides/changelog']));
    expect(linked.filter((path) => path?.startsWith('/guides/reference/'))).toHaveLength(
      document.tags.length + 1,
    );
  });

  it('are sent compressed, and again only when they have changed', async () => {
    await origin.get('/guides').expect(302).expect('Location', '/guides/');
    const { headers } = await origin.get('/guides/webhooks').set('Accept-Encoding', 'br, gzip').expect(200);
    expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'content-encoding': 'br' });
    expect(headers.vary).toContain('Accept-Encoding');
    const again = origin.with({ 'If-None-Match': headers.etag ?? '' });
    await again.get('/guides/webhooks').set('Accept-Encoding', 'br').expect(304);
    await again.get('/guides/webhooks').set('Accept-Encoding', 'gzip').expect(200);
    const plain = await origin.get('/guides/webhooks').set('Accept-Encoding', 'identity').expect(200);
    expect(plain.headers['content-encoding']).toBeUndefined();
    const [, script = ''] = /src="(\/guides\/assets\/[^"]+\.js)"/.exec(plain.text) ?? [];
    await origin
      .get(script)
      .expect(200)
      .expect('Cache-Control', /immutable/);
  });

  it('have no other addresses', async () => {
    for (const path of ['nothing', 'chapters.json', '..%2fpages.ts', '%2e%2e/build.ts', 'Webhooks']) {
      const { body } = await origin.get(`/guides/${path}`).expect(404);
      expect(body.code).toBe('not_found');
    }
  });

  it('say to a browser that a page is missing', async () => {
    const browser = origin.with({ Accept: BROWSER });
    for (const path of ['/guides/nothing', '/guides/nothing/more']) {
      const { headers } = await browser
        .get(path)
        .expect(404)
        .expect('Content-Type', /^text\/html/);
      expect(headers['content-security-policy']).toContain("default-src 'none'");
    }
    for (const path of ['/v1/nothing', '/nothing', '/docs/nothing'])
      await browser.get(path).expect('Content-Type', /^application\/json/);
    await browser
      .post('/guides/nothing')
      .expect(404)
      .expect('Content-Type', /^application\/json/);
  });

  it('have a policy that allows only the scripts of the build', async () => {
    const { headers, text } = await origin.get('/guides/').set('Accept', BROWSER).expect(200);
    const policy = headers['content-security-policy'];
    expect(policy).toMatch(/script-src 'self' 'sha256-[^']+' 'sha256-[^']+';/);
    expect(policy).toContain("style-src 'self';");
    expect(text).not.toMatch(/<style|<[^>]* on\w+=/);
  });

  it('have every operation in the reference, with its code in three languages and its errors', async () => {
    const { body: document } = await origin.get('/openapi.json');
    const found: string[] = [];
    for (const { name } of document.tags) {
      const page = await html(`/guides/reference/${name.toLowerCase().replace("'", '').replace(' ', '-')}`);
      for (const id of Object.keys(operations)) if (page.includes(`id="${id.toLowerCase()}"`)) found.push(id);
      expect(page.match(/>curl<\/label>/g)?.length).toBe(page.match(/>Python<\/label>/g)?.length);
    }
    expect(found.sort()).toEqual(Object.keys(operations).sort());
    const leads = await html('/guides/reference/leads');
    expect(leads).toContain('href="/docs/#/Leads/createLead"');
    expect(leads).toContain('<code>duplicate_email</code>');
  });
});

describe('the links of all pages', () => {
  it('lead to pages that exist, and to headings that they have', async () => {
    const pages = new Map<string, string>();
    const load = async (path: string) => {
      const page =
        pages.get(path) ??
        (
          await origin
            .get(path)
            .set('Accept', BROWSER)
            .redirects(2)
            .expect(({ status }) => expect([status, path]).toEqual([200, path]))
        ).text;
      pages.set(path, page);
      return page;
    };
    const reference = [...(await load('/guides/')).matchAll(/href="(\/guides\/reference\/[\w-]+)"/g)];
    const missing: string[] = [];
    let toOperations = 0;
    const all = ['/guides/tour', '/guides/changelog', ...chapters, ...reference.map(([, path = '']) => path)];
    for (const path of ['/dashboard/', '/guides/', ...new Set(all)]) {
      const links = (await load(path)).matchAll(/ (?:href|src)="([^"]+)"/g);
      for (const link of new Set([...links].map(([, link = '']) => link))) {
        const { origin: host, pathname, hash } = new URL(link.replaceAll('&amp;', '&'), app.url + path);
        if (host !== app.url) continue;
        const target = await load(pathname);
        if (hash === '' || pathname === '/docs/') continue;
        if (pathname.startsWith('/guides/reference/')) toOperations += 1;
        if (!target.includes(`id="${decodeURIComponent(hash.slice(1))}"`)) missing.push(`${path}: ${link}`);
      }
    }
    expect(missing).toEqual([]);
    expect(toOperations).toBeGreaterThan(50);
    expect(await load('/dashboard/')).toContain('<a href="../guides/dashboard">');
  }, 60_000);

  it('are joined by those of the document: each tag has a guide, and so have many operations', async () => {
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

  it('have an icon, and so have documents that can name none', async () => {
    for (const path of ['/guides/webhooks', '/docs/', '/dashboard/']) {
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
