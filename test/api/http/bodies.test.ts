/** Bodies that can't be read, and requests that are too large. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead, leadInput } from '../../support/factories.ts';

const LIMIT = 256 * 1024;

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

/** A valid lead as JSON text of so many bytes. */
function leadOfSize(bytes: number): string {
  const text = JSON.stringify(leadInput());
  return text + ' '.repeat(bytes - Buffer.byteLength(text));
}

function nested(depth: number): string {
  return `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
}

describe("a body that isn't a JSON object", () => {
  it.each([
    ['nothing', ''],
    ['white space', ' \n'],
    ['cut off', '{"name": "Ada"'],
    ['two objects', '{}{}'],
    ['an array', '[]'],
    ['a text', '"lead"'],
    ['a number', '1e999'],
    ['null', 'null'],
    ['single quotes', "{'name': 'Ada'}"],
    ['HTML', '<html></html>'],
  ])('is 400: %s', async (_what, text) => {
    const { id } = await createLead(client);
    expect((await client.post('/leads', text).expect(400)).body.code).toBe('invalid_json');
    expect((await client.patch(`/leads/${id}`, text).expect(400)).body.code).toBe('invalid_json');
  });

  it.each([
    ['{"name": "Ada",\n  "tags": [vip]}', "line 2, column 12: unexpected token 'v'"],
    ['{"name": "Ada",\n}', 'line 2, column 1: expected double-quoted property name'],
    ["{'name': 'Ada'}", "line 1, column 2: expected property name or '}'"],
    ['{"name": "Ada"', "line 1, column 15: expected ',' or '}' after property value"],
    ['{}{}', 'line 1, column 3: unexpected non-whitespace character after JSON'],
    ['<html>', "line 1, column 1: unexpected token '<'"],
    ['undefined', "line 1, column 1: unexpected token 'u'"],
    ['{"name": 😀}', "line 1, column 10: unexpected token '😀'"],
    ['{"name": \u202e}', 'line 1, column 10: unexpected token U+202E'],
    ['{"name": nul}', "line 1, column 10: unexpected token 'n'"],
    ['[" position 5", x]', "line 1, column 17: unexpected token 'x'"],
    ['{"name": "Ada', 'line 1, column 14: unterminated string'],
    ['{"name":', 'line 1, column 9: unexpected end of JSON input'],
  ])('says where: %j', async (text, place) => {
    const { body } = await client.post('/leads', text).expect(400);
    expect(body.message).toBe(`The body is not valid JSON at ${place}.`);
  });

  it('says where in a long text', async () => {
    const text = `[${'[1, "[x"],\n'.repeat(9_000)}NaN]`;
    const { body } = await client.post('/leads', text).expect(400);
    expect(body.message).toBe("The body is not valid JSON at line 9001, column 1: unexpected token 'N'.");
  });

  it('is 400: no body and no Content-Length', async () => {
    const { status } = await fetch(`${client.baseUrl}/leads`, {
      method: 'POST',
      headers: { ...client.headers, 'Content-Type': 'application/json' },
    });
    expect(status).toBe(400);
  });

  it("is 400 if its bytes aren't UTF-8", async () => {
    const { status } = await fetch(`${client.baseUrl}/leads`, {
      method: 'POST',
      headers: { ...client.headers, 'Content-Type': 'application/json' },
      body: Buffer.from('{"name": "\xff\xfe", "email": "latin1@example.com"}', 'latin1'),
    });
    expect(status).toBe(400);
  });

  it('may begin with a byte order mark', async () => {
    await client.post('/leads', `\ufeff${JSON.stringify(leadInput())}`).expect(201);
  });
});

describe('the size of a request', () => {
  it('may be 256 KiB and no byte more', async () => {
    await client.post('/leads', leadOfSize(LIMIT)).expect(201);
    await client.post('/leads', leadOfSize(LIMIT + 1)).expect(413);
  });

  it('is measured even without a Content-Length', async () => {
    const post = (text: string) =>
      fetch(`${client.baseUrl}/leads`, {
        method: 'POST',
        headers: { ...client.headers, 'Content-Type': 'application/json' },
        body: new Blob([text]).stream(),
        duplex: 'half',
      } as RequestInit);
    expect((await post(leadOfSize(LIMIT))).status).toBe(201);
    expect((await post(leadOfSize(LIMIT + 1))).status).toBe(413);
  });

  it('is counted after decompression', async () => {
    const post = (bytes: Buffer) =>
      fetch(`${client.baseUrl}/leads`, {
        method: 'POST',
        headers: { ...client.headers, 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
        body: bytes,
      });
    expect((await post(gzipSync(JSON.stringify(leadInput())))).status).toBe(201);
    expect((await post(gzipSync(leadOfSize(16 * 1024 * 1024)))).status).toBe(413);
    expect((await post(Buffer.from('this is not gzip'))).status).toBe(400);
    expect((await post(gzipSync(leadOfSize(1000)).subarray(0, 40))).status).toBe(400);
  });

  it('may have at most ten levels', async () => {
    await client.post('/leads', nested(10)).expect(422);
    expect((await client.post('/leads', nested(11)).expect(400)).body.code).toBe('invalid_json');
    await client.post('/leads', `{"a":${'['.repeat(9)}${']'.repeat(9)}}`).expect(422);
    await client.post('/leads', `{"a":${'['.repeat(10)}${']'.repeat(10)}}`).expect(400);
    await client.post('/leads', '['.repeat(100_000)).expect(400);
  });

  it('may be a URL of 8 KiB and no byte more', async () => {
    const path = (length: number) => `/leads?search=${'a'.repeat(length - '/v1/leads?search='.length)}`;
    expect((await client.get(path(8192)).expect(400)).body.errors).toHaveProperty('search');
    await client.get(path(8193)).expect(414);
  });
});
