/** How programs spell media types in Accept and Content-Type. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../../generated/operations.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead, leadInput, uniqueEmail } from '../../support/factories.ts';
import { upload } from '../../support/imports.ts';
import { runJobs } from '../../support/jobs.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client(['read', 'write', 'admin']);
  await createLead(client);
});

afterAll(() => app.close());

/** The reads that need no id, and are neither exports nor waits. */
const reads = Object.values(operations).filter(
  ({ method, path, produces, environments }) =>
    method === 'get' &&
    !path.includes('{') &&
    (produces as readonly string[]).includes('application/json') &&
    (environments as readonly string[]).includes('production'),
);

describe('Accept', () => {
  it.each([
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"; q=0.9',
    'application/json;q=0.9, text/*',
    'application/json;odata.metadata=minimal;odata.streaming=true',
    'APPLICATION/JSON ; Version=1',
    'application/json; profile="a, b; q=0"; q=1',
    'text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8',
    '*/*;q=0.8',
    'application/*; charset=utf-8',
    'application/json, text/plain, */*',
    'application/json;',
    'application/json;q=.8',
    'application/json;Q=0.8',
    'application/json ; q=0.8 ; charset=utf-8',
    'application/json;q = 0.8',
    'text/html;level=1, */*;charset=utf-8;q=0.1',
    'application/problem+json, application/json;ext="a\\"; q=0"',
  ])('%s is served everywhere', async (accept) => {
    expect(reads.length).toBeGreaterThan(20);
    for (const { path, produces } of reads) {
      const { status, type } = await client.get(path).set('Accept', accept);
      // Reports are CSV as well, which some prefer.
      const isText = accept.endsWith('text/*') && (produces as readonly string[]).includes('text/csv');
      expect([path, type]).toEqual([path, isText && status === 200 ? 'text/csv' : 'application/json']);
      expect([200, 400]).toContain(status);
    }
    for (const path of ['/openapi.json', '/livez', '/readyz', '/llms.txt']) {
      const { status } = await client.at(app.url).get(path).set('Accept', accept);
      expect([path, status]).toEqual([path, 200]);
    }
    const { type } = await client.post('/leads', leadInput()).set('Accept', accept).expect(201);
    expect(type).toBe('application/json');
  });

  it.each(['application/json; q=0', 'text/html', 'application/json; charset=utf-8; q=0'])(
    '%s excludes the answer',
    async (accept) => {
      await client.get('/leads').set('Accept', accept).expect(406);
    },
  );

  it.each([
    ['text/csv; header=present', 'text/csv'],
    ['application/csv', 'text/csv'],
    ['text/x-csv;q=0.5', 'text/csv'],
    ['text/*', 'text/csv'],
    ['*/*;q=0.8', 'text/csv'],
    ['application/ndjson', 'application/x-ndjson'],
    ['application/jsonl', 'application/x-ndjson'],
    ['application/x-jsonlines; charset=utf-8', 'application/x-ndjson'],
    ['application/jsonl, text/csv;q=0.5', 'application/x-ndjson'],
    ['application/jsonl;q=0.5, application/csv', 'text/csv'],
  ])('%s names a format of an export: %s', async (accept, expected) => {
    const { type } = await client.get('/leads/export').set('Accept', accept).expect(200);
    expect(type).toBe(expected);
  });

  it.each(['text/tab-separated-values', 'application/json', 'text/plain'])(
    '%s names none',
    async (accept) => {
      await client.get('/leads/export').set('Accept', accept).expect(406);
    },
  );
});

/** `Müller` in several charsets, and what Content-Type says. */
const umlauts: [type: string, bytes: Buffer, name: string, charset: string][] = [
  ['text/csv; charset=iso-8859-1', Buffer.from('Müller', 'latin1'), 'Müller', 'windows-1252'],
  ['text/csv; charset="koi8-r"', Buffer.from('\xc1\xc4\xc1', 'latin1'), 'ада', 'koi8-r'],
  ['text/csv; charset=utf8', Buffer.from('Müller'), 'Müller', 'utf-8'],
  // What many programs say by default, whatever the file has.
  ['text/csv; charset=UTF-8', Buffer.from('Müller', 'latin1'), 'Müller', 'windows-1252'],
  ['application/octet-stream; charset=binary', Buffer.from('Müller'), 'Müller', 'utf-8'],
];

describe('Content-Type', () => {
  it.each(umlauts)('%s says how a file is read', async (type, bytes, name, charset) => {
    const file = Buffer.concat([Buffer.from('name,email\n'), bytes, Buffer.from(`,${uniqueEmail()}\n`)]);
    const { body } = await upload(client, file).set('Content-Type', type).expect(202);
    expect(body.data.charset).toBe(charset);
    await runJobs(app.production);
    const { body: found } = await client.get('/leads?per_page=1').expect(200);
    expect(found.data[0].name).toBe(name);
  });

  it.each(['text/tab-separated-values', 'text/plain; charset=UTF-8', 'application/vnd.ms-excel'])(
    '%s is a file that is known by its content',
    async (type) => {
      const files = ['name\temail\nAda\tada@example.net\n', '{"name":"Ada","email":"ada@example.net"}\n'];
      for (const [index, file] of files.entries()) {
        const { body } = await upload(client, file, 'start=false').set('Content-Type', type).expect(202);
        expect(body.data).toMatchObject({ format: ['csv', 'ndjson'][index], rows_total: 1 });
      }
    },
  );

  it.each(
    ['utf-8', 'UTF-8', 'utf8', 'UTF8', '"utf-8"', '"utf8"', "'utf-8'", '"UTF8"; version=1', 'us-ascii'].map(
      (charset) => [charset],
    ),
  )('charset=%s is UTF-8', async (charset) => {
    const body = JSON.stringify(leadInput({ name: charset.includes('ascii') ? 'Ada' : 'Zoë 🎉' }));
    const type = `application/json ; Charset = ${charset}`;
    const created = await client
      .post('/leads', body)
      .set('Content-Type', type.replace(' = ', '='))
      .expect(201);
    expect(created.body.data.name).toMatch(/Ada|Zoë 🎉/);
  });

  it.each(['iso-8859-1', 'utf-16', '"latin1"'])('charset=%s is refused for JSON', async (charset) => {
    await client.post('/leads', '{}').set('Content-Type', `application/json; charset=${charset}`).expect(415);
  });

  it.each([
    'application/csv',
    'text/x-csv; charset=utf8',
    'text/comma-separated-values',
    'APPLICATION/CSV; header=present',
    'text/csv; charset=iso-8859-1',
  ])('%s is a CSV file', async (type) => {
    const { body } = await upload(client, 'name,email\nAda,ada@example.net\n', 'start=false')
      .set('Content-Type', type)
      .expect(202);
    expect(body.data).toMatchObject({ format: 'csv', rows_total: 1 });
  });

  it.each(['application/ndjson', 'application/jsonl', 'application/x-jsonlines', 'application/jsonlines'])(
    '%s is an NDJSON file',
    async (type) => {
      const { body } = await upload(client, '{"name":"Ada","email":"ada@example.net"}\n', 'start=false')
        .set('Content-Type', type)
        .expect(202);
      expect(body.data).toMatchObject({ format: 'ndjson', rows_total: 1 });
    },
  );
});
