import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { csv, leftovers, readImport, runImports, send, upload } from '../../support/imports.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const file = csv(
  'Full name,E-Mail,Phone number,Notes',
  'Ada,ada@example.com,+49 151 1234 5678,x',
  'Bob,bob@example.com,,',
);

describe('POST /imports', () => {
  it('accepts a file and describes how it will be imported', async () => {
    const { body, headers } = await upload(client, file, 'defaults[source]=referral').expect(202);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^import_/),
      status: 'queued',
      resource: 'leads',
      format: 'csv',
      match: 'email',
      on_duplicate: 'reject',
      dry_run: false,
      create_users: false,
      columns: ['Full name', 'E-Mail', 'Phone number', 'Notes'],
      mapping: { 'Full name': 'name', 'E-Mail': 'email', 'Phone number': 'phone', Notes: null },
      defaults: { source: 'referral' },
      values: {},
      locale: null,
      default_country: null,
      charset: 'utf-8',
      sheet: null,
      unused_columns: [{ column: 'Notes', hint: expect.toBeOneOf([null, expect.any(String)]) }],
      warnings: [],
      doubts: [],
      rows_total: 2,
      rows_done: 0,
      counts: { created: 0, updated: 0, unchanged: 0, failed: 0, warned: 0 },
      failures: [],
      started_at: null,
      finished_at: null,
      failure: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      version: 1,
    });
    expect(headers.location).toBe(`${app.production.baseUrl}/imports/${body.data.id}`);
    expect(await readImport(client, body.data.id)).toEqual(body.data);
    await runImports(app.production);
    expect(await readImport(client, body.data.id)).toMatchObject({ status: 'completed', rows_done: 2 });
    expect(await app.production.knex('import_chunks')).toEqual([]);
  });

  it('maps columns by their names', async () => {
    const columns = [
      'EMAIL',
      'First Name',
      'last_name',
      'metadata.plan',
      'id',
      'Organisation',
      'Mobile',
      'tel',
      'mail',
    ];
    const { mapping } = await send(client, csv(columns.join(), ',,,x,,,,,'), 'start=false');
    expect(mapping).toEqual({
      EMAIL: 'email',
      'First Name': 'name.first',
      last_name: 'name.last',
      'metadata.plan': 'metadata.plan',
      id: null,
      Organisation: 'company',
      Mobile: 'phone',
      tel: 'phone',
      mail: 'email',
    });
  });

  it('maps columns as requested', async () => {
    const query = 'start=false&mapping[Notes]=metadata.note&mapping[Phone number]=';
    const { status, mapping } = await send(client, file, query);
    expect(status).toBe('draft');
    expect(mapping).toEqual({
      'Full name': 'name',
      'E-Mail': 'email',
      'Phone number': null,
      Notes: 'metadata.note',
    });
  });

  it.each([
    ['mapping[Mail]=email', 'mapping.Mail', 'is not a column of the file'],
    [
      'mapping[Notes]=colour',
      'mapping.Notes',
      /^must be one of name, email, .*, or a key of an object, such as metadata\.plan$/,
    ],
    ['mapping[Notes]=title', 'mapping.Notes', /^must be one of/],
    ['mapping[Notes]=__proto__', 'mapping.Notes', /^must be one of/],
    ['mapping[Notes]=name.second', 'mapping.Notes', /^must be one of/],
    ['defaults[id]=x', 'defaults.id', /^must be one of/],
    [
      'match=external_id&on_duplicate=merge',
      'mapping',
      'must map a column to external_id, by which duplicates are found',
    ],
  ])('rejects %s', async (query, field, message) => {
    const { body } = await upload(client, file, query).expect(422);
    expect(body.code).toBe('validation_failed');
    expect(body.errors).toEqual({
      [field]: [typeof message === 'string' ? message : expect.stringMatching(message)],
    });
    expect(await leftovers(app)).toEqual([]);
  });

  it.each([
    ['resource=webhooks', 'resource'],
    ['on_duplicate=replace', 'on_duplicate'],
    ['match=phone', 'match'],
    ['dry_run=yes', 'dry_run'],
    ['mode=dry_run', 'mode'],
    [`mapping[${'x'.repeat(201)}]=email`, 'mapping'],
  ])('answers 400 to ?%s', async (query, name) => {
    const { body } = await upload(client, file, query).expect(400);
    expect(Object.keys(body.errors)).toEqual([name]);
  });

  it.each([
    [['leads:write'], 'leads', 202],
    [['leads:write'], 'contacts', 403],
    [['contacts:write'], 'contacts', 202],
    [['contacts:write', 'read'], 'leads', 403],
  ])('with the scopes %j, importing %s gets %i', async (scopes, resource, status) => {
    const limited = await app.client(scopes);
    const { body } = await upload(limited, file, `resource=${resource}&start=false`).expect(status);
    if (status === 403)
      expect(body).toMatchObject({ code: 'insufficient_scope', required_scope: `${resource}:write` });
  });

  it('stores nothing with Dry-Run', async () => {
    const { body, headers } = await upload(client, file).set('Dry-Run', 'true').expect(202);
    expect(headers['dry-run']).toBe('true');
    await client.get(`/imports/${body.data.id}`).expect(404);
    expect(await leftovers(app)).toEqual([]);
  });

  it('creates one import per Idempotency-Key', async () => {
    const keyed = client.with({ 'Idempotency-Key': randomUUID() });
    const first = await upload(keyed, file, 'start=false').expect(202);
    const second = await upload(keyed, file, 'start=false').expect(202);
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(second.body).toEqual(first.body);
    const { body } = await upload(keyed, file.replace('Ada', 'Eve'), 'start=false').expect(422);
    expect(body.code).toBe('idempotency_key_reused');
    expect(await leftovers(app)).toEqual([]);
  });

  it.each(['application/xml', 'image/png'])('rejects %s', async (type) => {
    await upload(client, file).set('Content-Type', type).expect(415);
  });
});
