/** Files with a Content-Encoding. */
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { csv, leftovers, upload } from '../../support/imports.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const file = (rows: number) =>
  csv('name,email', ...Array.from({ length: rows }, (_, row) => `Ada ${row},${uniqueEmail()}`));

function send(bytes: Buffer, encoding: string) {
  return upload(client, bytes, 'start=false')
    .set('Content-Type', 'text/csv')
    .set('Content-Encoding', encoding);
}

describe('a compressed file', () => {
  it.each([
    ['gzip', gzipSync],
    ['GZIP', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['identity', Buffer.from],
  ] as [string, (text: string) => Buffer][])(
    'with Content-Encoding: %s is read',
    async (encoding, compress) => {
      const { body } = await send(compress(file(2_000)), encoding).expect(202);
      expect(body.data).toMatchObject({ status: 'draft', rows_total: 2_000 });
    },
  );

  it('is the same file as the one that is not, under an Idempotency-Key', async () => {
    const text = file(3);
    const keyed = client.with({ 'Idempotency-Key': uniqueEmail() });
    const first = await upload(keyed, text, 'start=false').expect(202);
    const second = await upload(keyed, gzipSync(text), 'start=false')
      .set('Content-Type', 'text/csv')
      .set('Content-Encoding', 'gzip')
      .expect(202);
    expect(second.body).toEqual(first.body);
  });

  it.each([
    ['in another way', Buffer.from(file(1)), 'zip', 415],
    ['twice', gzipSync(gzipSync(file(1))), 'gzip, gzip', 415],
    ['in the name only', Buffer.from(file(1)), 'gzip', 400],
    ['in the name only, with brotli', Buffer.from(file(1)), 'br', 400],
    ['and cut off', gzipSync(file(500)).subarray(0, -200), 'gzip', 400],
    ['and damaged', damaged(gzipSync(file(500))), 'gzip', 400],
  ])('%s is refused, and leaves nothing', async (_, bytes, encoding, status) => {
    const { body } = await send(bytes, encoding).expect(status);
    expect(body.message).toContain('compressed');
    expect(await leftovers(app)).toEqual([]);
  });

  it('may not unpack to more than 200 MiB', async () => {
    const { body } = await send(await bomb(300), 'gzip').expect(413);
    expect(body).toMatchObject({ code: 'body_too_large' });
    expect(await leftovers(app)).toEqual([]);
  });
});

function damaged(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy.fill(0xff, copy.length >> 1, (copy.length >> 1) + 40);
  return copy;
}

/** A file that unpacks to so many MiB, nearly all of them blank rows, which take no place in the database. */
async function bomb(size: number): Promise<Buffer> {
  const row = `${' '.repeat(1_000)}\n`;
  const piece = Buffer.from(row.repeat(Math.ceil((1024 * 1024) / row.length)));
  const gzip = createGzip();
  const pieces: Buffer[] = [];
  gzip.on('data', (chunk: Buffer) => pieces.push(chunk));
  gzip.write('name,email\nAda,ada@example.com\n');
  for (let index = 0; index < size; index += 1) gzip.write(piece);
  await new Promise<void>((resolve) => gzip.end(resolve));
  return Buffer.concat(pieces);
}
