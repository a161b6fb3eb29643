import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { parseCsv } from '../../support/exports.ts';
import { csv, importFile, send } from '../../support/imports.ts';
import { runJobs } from '../../support/jobs.ts';

let app: TestApp;
let client: TestClient;
let path: string;

const rows = Array.from({ length: 25 }, (_, index) => `Ada,nobody ${index}`);

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
  // A column name may be a formula.
  const file = csv('name,=Mail', ...rows);
  const { id } = await importFile(app, client, file, 'start=true', { mapping: { '=Mail': 'email' } });
  path = `/imports/${id}/errors`;
});

afterAll(() => app.close());

const error = (row: number) => ({
  row,
  severity: 'error',
  column: '=Mail',
  field: 'email',
  code: 'validation_failed',
  message: 'email must be an email address.',
});

describe('GET /imports/{id}/errors', () => {
  it('lists the errors in the order of the file, in pages', async () => {
    const { body } = await client.get(path).expect(200);
    expect(body.data).toEqual(rows.slice(0, 20).map((_, index) => error(index + 2)));
    expect(body.meta).toMatchObject({ total: 25, last_page: 2 });
    const { body: last } = await client.get(`${path}?cursor=${body.meta.next_cursor}`).expect(200);
    expect(last.data).toEqual(rows.slice(20).map((_, index) => error(index + 22)));
    const { body: reversed } = await client.get(`${path}?sort=-row&per_page=1`).expect(200);
    expect(reversed.data).toEqual([error(26)]);
  });

  it('has a working link to the next page', async () => {
    const { headers } = await client.get(path).expect(200);
    const [, next = ''] = /<[^>]*(\?[^>]*)>; rel="next"/.exec(headers.link ?? '') ?? [];
    const { body } = await client.get(path + next).expect(200);
    expect(body.data[0]).toEqual(error(22));
  });

  it('returns all errors as a CSV file without formulas', async () => {
    const { text, headers } = await client.get(path).set('Accept', 'text/csv').expect(200);
    expect(headers['content-type']).toContain('text/csv');
    expect(headers).not.toHaveProperty('link');
    const [names, ...lines] = parseCsv(text);
    expect(names).toEqual(['row', 'severity', 'column', 'field', 'code', 'message']);
    expect(lines).toHaveLength(25);
    expect(lines[0]).toEqual([
      '2',
      'error',
      "'=Mail",
      'email',
      'validation_failed',
      'email must be an email address.',
    ]);
  });

  it("does not repeat the file's contents", async () => {
    const response = await fetch(client.baseUrl + path, {
      headers: { ...client.headers, Accept: 'application/x-ndjson' },
    });
    const text = await response.text();
    expect(text.trim().split('\n')).toHaveLength(25);
    expect(text).not.toContain('nobody');
  });

  it('has at most ten errors per row and 100,000 per import', async () => {
    const cells = Array.from({ length: 20 }, () => 'x'.repeat(501)).join();
    const columns = Array.from({ length: 20 }, (_, index) => `metadata.k${index}`).join();
    const { id } = await importFile(app, client, csv(`name,email,${columns}`, `Ada,a@example.com,${cells}`));
    const { body } = await client.get(`/imports/${id}/errors`).expect(200);
    expect(body.meta.total).toBe(10);
    // As if earlier rows had 99,995 errors.
    const few = await send(client, csv('name,email', ...rows), 'start=true');
    await app.production.knex('jobs').where({ status: 'queued' }).update({ errors_kept: 99_995 });
    await runJobs(app.production);
    const { body: kept } = await client.get(`/imports/${few.id}/errors`).expect(200);
    expect(kept.meta.total).toBe(5);
  });
});
