/** The options of an import as a JSON document, which makes a draft. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { readImport } from '../../support/imports.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

describe('POST /imports with options in JSON', () => {
  it('makes a draft that says that it waits for its file', async () => {
    const options = {
      mapping: { plan: 'metadata.plan' },
      defaults: { source: 'referral' },
      values: { source: { 'Trade show': { source: 'referral', source_detail: 'Trade show' } } },
      locale: 'de-DE',
      default_country: 'DE',
      sheet: 'Leads',
      match: 'external_id',
      on_duplicate: 'merge',
      mode: 'try',
      start: false,
    };
    const { body, headers } = await client.post('/imports', { resource: 'leads', ...options }).expect(202);
    const { mode: _, start: _start, ...shown } = options;
    expect(body.data).toMatchObject({
      ...shown,
      status: 'draft',
      format: null,
      dry_run: true,
      rows_total: 0,
    });
    expect(body.data.doubts).toEqual([
      {
        code: 'waiting_for_file',
        column: null,
        row: null,
        message: 'This draft waits for its file. Send it with PUT /imports/{id}/file.',
      },
    ]);
    expect(headers.location).toBe(`${app.production.baseUrl}/imports/${body.data.id}`);
    expect(await readImport(client, body.data.id)).toEqual(body.data);
    const { body: refused } = await client.post(`/imports/${body.data.id}/start`, {}).expect(422);
    expect(refused).toMatchObject({ code: 'wrong_import_status', message: expect.stringContaining('PUT') });
    await client.post(`/imports/${body.data.id}/cancel`).expect(200);
    await client
      .put(`/imports/${body.data.id}/file`)
      .set('Content-Type', 'text/csv')
      .send('name\nAda\n')
      .expect(422);
  });

  it.each([
    [{ resource: 'cats' }, 'resource'],
    [{ mapping: { Plan: 'colour' } }, 'mapping.Plan'],
    [{ defaults: { id: 'x' } }, 'defaults.id'],
    [{ values: { colour: { red: 'new' } } }, 'values.colour'],
    [{ values: { source: { Show: { colour: 'x' } } } }, 'values.source.Show.colour'],
    [{ values: { source: { Show: 5 } } }, 'values.source.Show'],
    [{ locale: 'not a locale' }, 'locale'],
    [{ default_country: 'XX' }, 'default_country'],
    [{ charset: 'klingon' }, 'charset'],
    [{ match: 'name' }, 'match'],
    [{ mode: 'rehearse' }, 'mode'],
    [{ start: 'maybe' }, 'start'],
    [{ colour: 'red' }, 'colour'],
  ])('answers 422 to %j', async (options, field) => {
    const { body } = await client.post('/imports', { resource: 'leads', ...options }).expect(422);
    expect(body.code).toBe('validation_failed');
    expect(Object.keys(body.errors)).toEqual([field]);
  });

  it('answers 422 to options that are too large, and 413 to a document that is', async () => {
    const values = (count: number) => ({
      source: Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`${'x'.repeat(90)}${index}`, 'referral']),
      ),
    });
    const { body } = await client.post('/imports', { resource: 'leads', values: values(1_000) }).expect(422);
    expect(Object.keys(body.errors)).toEqual(['values']);
    await client.post('/imports', { resource: 'leads', values: values(10_000) }).expect(413);
  });

  it('takes no options as parameters, and repeats its answer to an Idempotency-Key', async () => {
    for (const query of [
      'start=false',
      'on_duplicate=merge',
      'resource=leads',
      'mapping[a]=name',
      'locale=de',
    ]) {
      const { body } = await client.post(`/imports?${query}`, { resource: 'leads' }).expect(400);
      expect(Object.keys(body.errors)).toEqual([query.split(/[=[]/)[0]]);
    }
    const keyed = () =>
      client.post('/imports', { resource: 'leads' }).set('Idempotency-Key', 'draft').expect(202);
    expect((await keyed()).body).toEqual((await keyed()).body);
  });

  it('needs the scope of the resource, and a resource beside a file', async () => {
    const other = await app.client(['contacts:write']);
    await other.post('/imports', { resource: 'leads' }).expect(403);
    const { body } = await client
      .post('/imports')
      .set('Content-Type', 'text/csv')
      .send('name\nAda\n')
      .expect(400);
    expect(body.errors).toEqual({ resource: ['is required'] });
  });
});
