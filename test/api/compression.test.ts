import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});

afterAll(() => app.close());

describe.each(['/openapi.json', '/openapi.yaml', '/openapi-3.0.json', '/llms.txt', '/changelog'])(
  '%s',
  (path) => {
    it('is sent compressed to clients that accept it, with an ETag for each encoding', async () => {
      const plain = await get(path, { 'Accept-Encoding': 'identity' });
      expect(plain.headers.get('content-encoding')).toBeNull();
      const etags = new Set([plain.headers.get('etag')]);
      for (const encoding of ['br', 'gzip']) {
        const compressed = await get(path, { 'Accept-Encoding': encoding });
        expect(compressed.headers.get('content-encoding')).toBe(encoding);
        expect(compressed.headers.get('vary')).toContain('Accept-Encoding');
        expect(compressed.body).toBe(plain.body);
        expect(compressed.sent).toBeLessThan(plain.sent / 1.5);
        const etag = compressed.headers.get('etag') ?? '';
        etags.add(etag);
        const conditional = app.anonymous.at(app.url).get(path);
        await conditional.set({ 'Accept-Encoding': encoding, 'If-None-Match': etag }).expect(304);
      }
      expect(etags.size).toBe(3);
    });

    it('prefers Brotli, and heeds an encoding that is refused', async () => {
      expect(await encodingFor(path, 'gzip, deflate, br, zstd')).toBe('br');
      expect(await encodingFor(path, 'gzip, br;q=0')).toBe('gzip');
      expect(await encodingFor(path, 'deflate')).toBeNull();
    });
  },
);

describe('the files of the docs page', () => {
  let files: string[];

  beforeAll(async () => {
    const { body } = await get('/docs/');
    files = [...body.matchAll(/(?:src|href)=['"]\.\/([^'"]+)['"]/g)]
      .map(([, file]) => `/docs/${file}`)
      // The library makes it at the start.
      .filter((file) => file !== '/docs/swagger-ui-init.js');
  });

  it('are sent compressed, in all less than 500 kB', async () => {
    const texts = files.filter((file) => /\.(css|js)$/.test(file));
    let total = 0;
    for (const file of texts) {
      const plain = await get(file, { 'Accept-Encoding': 'identity' });
      for (const encoding of ['gzip', 'br']) {
        const compressed = await get(file, { 'Accept-Encoding': encoding });
        expect(compressed.headers.get('content-encoding')).toBe(encoding);
        expect(compressed.headers.get('vary')).toContain('Accept-Encoding');
        expect(compressed.headers.get('content-type')?.toLowerCase()).toBe(
          plain.headers.get('content-type')?.toLowerCase(),
        );
        expect(compressed.body).toBe(plain.body);
        if (encoding === 'br') total += compressed.sent;
      }
    }
    expect(texts.length).toBeGreaterThan(8);
    expect(total).toBeLessThan(600_000);
  });

  it('are also found by HEAD', async () => {
    for (const file of files) {
      const { sent } = await get(file);
      const head = await fetch(app.url + file, { method: 'HEAD' });
      expect(head.status).toBe(200);
      expect(Number(head.headers.get('content-length'))).toBe(sent);
    }
  });
});

/** The body as decoded by fetch, and the number of bytes sent for it. */
async function get(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(app.url + path, { headers });
  const sent = Number(response.headers.get('content-length'));
  return { status: response.status, headers: response.headers, body: await response.text(), sent };
}

async function encodingFor(path: string, accepted: string): Promise<string | null> {
  const { headers } = await get(path, { 'Accept-Encoding': accepted });
  return headers.get('content-encoding');
}
