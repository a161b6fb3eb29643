/** What became of each row. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead } from '../../support/factories.ts';
import { csv, importFile, readImport, send } from '../../support/imports.ts';
import { runJobs, runOnce } from '../../support/jobs.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

async function rowsOf(
  id: string,
  query = '',
): Promise<{ row: number; outcome: string; id: string | null }[]> {
  const { body } = await client.get(`/imports/${id}/rows?per_page=100${query}`).expect(200);
  return body.data;
}

describe('GET /imports/{id}/rows', () => {
  it('names the lead of each row, and how it came about', async () => {
    const changed = await createLead(client, { email: 'changed@example.com' });
    const same = await createLead(client, { email: 'same@example.com', name: 'Same' });
    const file = csv(
      'name,email,company',
      'New,new@example.com,',
      'Changed,changed@example.com,Engines',
      'Same,same@example.com,',
      'Wrong,nobody,',
    );
    const { id, counts, failures } = await importFile(app, client, file, 'on_duplicate=update');
    expect(counts).toEqual({ created: 1, updated: 1, unchanged: 1, failed: 1, warned: 0 });
    expect(failures).toEqual([{ code: 'validation_failed', field: 'email', rows: 1 }]);
    const { body: created } = await client.get('/leads?email=new@example.com').expect(200);
    expect(await rowsOf(id)).toEqual([
      { row: 2, outcome: 'created', id: created.data[0].id },
      { row: 3, outcome: 'updated', id: changed.id },
      { row: 4, outcome: 'unchanged', id: same.id },
      { row: 5, outcome: 'failed', id: null },
    ]);
    expect(await rowsOf(id, '&outcome=updated')).toEqual([{ row: 3, outcome: 'updated', id: changed.id }]);
    expect((await rowsOf(id, '&sort=-row')).map(({ row }) => row)).toEqual([5, 4, 3, 2]);
  });

  it('has every row exactly once, in pages and as a file, while the import runs and after it', async () => {
    const lines = Array.from({ length: 1_600 }, (_, index) => `Ada,row${index}@example.com`);
    const { id } = await send(client, csv('name,email', ...lines));
    await runOnce(app.production);
    expect((await client.get(`/imports/${id}/rows`).expect(200)).body.meta.total).toBe(250);
    await runJobs(app.production);
    const rows: number[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const after: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await client.get(`/imports/${id}/rows?per_page=100${after}`).expect(200);
      rows.push(...body.data.map(({ row }: { row: number }) => row));
      cursor = body.meta.next_cursor;
    }
    expect(rows).toEqual(lines.map((_, index) => index + 2));
    for (const [query, first] of [
      ['page=3&per_page=100', 202],
      ['page=13&per_page=100', 1_202],
      ['page=13&per_page=100&sort=-row', 401],
      ['page=110&per_page=10&outcome=created', 1_092],
    ] as const) {
      const { body } = await client.get(`/imports/${id}/rows?${query}`).expect(200);
      const step = query.includes('-row') ? -1 : 1;
      const expected = body.data.map((_: unknown, index: number) => first + index * step);
      expect(body.data.map(({ row }: { row: number }) => row)).toEqual(expected);
    }
    const { text } = await client
      .get(`/imports/${id}/rows?outcome=created`)
      .set('Accept', 'text/csv')
      .expect(200);
    expect(text.split('\r\n')[0]).toBe('row,outcome,id');
    expect(text.match(/^\d+,created,lead_\w{26}\r$/gm)).toHaveLength(1_600);
  });

  it('tells what a dry run would do, without ids, until the import starts', async () => {
    const { id } = await importFile(
      app,
      client,
      csv('name,email', 'Dry,dry@example.com', 'Wet,'),
      'dry_run=true',
    );
    expect(await rowsOf(id)).toEqual([
      { row: 2, outcome: 'created', id: null },
      { row: 3, outcome: 'failed', id: null },
    ]);
    await client.post(`/imports/${id}/start`, {}).expect(202);
    expect(await rowsOf(id)).toEqual([]);
    await runJobs(app.production);
    expect(await readImport(client, id)).toMatchObject({ status: 'completed', counts: { created: 1 } });
    expect(await rowsOf(id, '&outcome=created')).toMatchObject([
      { row: 2, id: expect.stringMatching(/^lead_/) },
    ]);
  });

  it('names contacts, and needs their scope', async () => {
    const file = csv('name', 'Ada');
    const { id } = await importFile(app, client, file, 'resource=contacts');
    expect(await rowsOf(id)).toMatchObject([{ id: expect.stringMatching(/^contact_/) }]);
    const reader = await app.client(['leads:read']);
    const { body } = await reader.get(`/imports/${id}/rows`).expect(403);
    expect(body.required_scope).toBe('contacts:read');
  });

  it('rejects an unknown outcome', async () => {
    const { id } = await send(client, csv('name', 'Ada'), 'start=false');
    const { body } = await client.get(`/imports/${id}/rows?outcome=lost`).expect(400);
    expect(body.errors).toHaveProperty('outcome');
  });
});
