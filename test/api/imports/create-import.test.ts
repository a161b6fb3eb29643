import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { csv, leftovers, readImport, send, upload } from '../../support/imports.ts';
import { runJobs } from '../../support/jobs.ts';

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
    const { body, headers } = await upload(client, file, 'accept_doubts=unused_columns').expect(202);
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
      defaults: {},
      values: {},
      locale: null,
      default_country: null,
      charset: 'utf-8',
      sheet: null,
      unused_columns: [{ column: 'Notes', hint: expect.toBeOneOf([null, expect.any(String)]) }],
      warnings: [],
      doubts: [expect.objectContaining({ code: 'unused_columns', column: 'Notes' })],
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
    expect(headers.etag).toBe('"1"');
    expect(await readImport(client, body.data.id)).toEqual(body.data);
    await runJobs(app.production);
    expect(await readImport(client, body.data.id)).toMatchObject({ status: 'completed', rows_done: 2 });
    expect(await app.production.knex('import_chunks')).toEqual([]);
  });

  it('keeps a file with doubts as a draft, unless they are accepted', async () => {
    const draft = await upload(client, file, 'start=true').expect(202);
    expect(draft.body.data).toMatchObject({ status: 'draft', doubts: [{ code: 'unused_columns' }] });
    const other = await upload(client, file, 'accept_doubts=footer,no_header').expect(202);
    expect(other.body.data.status).toBe('draft');
    const { body } = await client
      .patch(`/imports/${draft.body.data.id}`, { mapping: { Notes: null } })
      .expect(200);
    expect(body.data.doubts).toEqual([]);
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

  it.each([
    ['match=slug', 'match', "Rows of leads can't be matched by slug, but by email."],
    [
      'charset=klingon',
      'charset',
      'charset must be the name of an encoding, such as utf-8, windows-1252 or shift_jis.',
    ],
  ])('rejects %s', async (query, field, message) => {
    const { body } = await upload(client, file, query).expect(422);
    expect(body).toMatchObject({ code: 'validation_failed', errors: { [field]: [message] } });
    expect(await leftovers(app)).toEqual([]);
  });

  it.each(['merge', 'update', 'ignore'])(
    'makes a draft of a file without the field to match by: %s',
    async (on_duplicate) => {
      const query = `match=external_id&on_duplicate=${on_duplicate}`;
      const { status, doubts } = await send(client, file, query);
      expect(status).toBe('draft');
      expect(doubts).toContainEqual(expect.objectContaining({ code: 'no_external_id' }));
    },
  );

  it('reads the file in the charset of the parameter, or of the Content-Type', async () => {
    const bytes = (email: string) => Buffer.from(`name,email\nJ\xfcrgen,${email}\n`, 'latin1');
    const type = (charset: string) => ({ 'Content-Type': `text/csv; charset=${charset}` });
    const { body } = await upload(client, bytes('a.latin@example.com'), 'charset=iso-8859-1')
      .set(type('koi8-r'))
      .expect(202);
    expect(body.data).toMatchObject({ charset: 'windows-1252', warnings: [] });
    await upload(client, bytes('b.latin@example.com')).set(type('ISO-8859-1')).expect(202);
    await runJobs(app.production);
    for (const name of ['a', 'b']) {
      const { body: found } = await client.get(`/leads?email=${name}.latin@example.com`).expect(200);
      expect(found.data).toMatchObject([{ name: 'Jürgen' }]);
    }
  });

  it.each([
    ['resource=webhooks', 'resource'],
    ['on_duplicate=replace', 'on_duplicate'],
    ['match=phone', 'match'],
    ['dry_run=yes', 'dry_run'],
    ['mapping[Notes]=note', 'mapping[Notes]'],
    ['defaults[source]=referral', 'defaults[source]'],
    ['locale=de', 'locale'],
    ['default_country=DE', 'default_country'],
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

  it('needs a resource', async () => {
    const { body } = await client.post('/imports').set('Content-Type', 'text/csv').send(file).expect(400);
    expect(body.errors).toEqual({ resource: ['resource is required.'] });
  });

  it('has an option for a dry run instead of the header', async () => {
    const { body } = await upload(client, file).set('Dry-Run', 'true').expect(400);
    expect(body).toMatchObject({
      code: 'invalid_parameter',
      errors: { 'Dry-Run': ['Dry-Run is not supported by this operation. Send dry_run=true instead.'] },
    });
    await upload(client, file, 'start=false').set('Dry-Run', 'false').expect(202);
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

  it.each(['application/xml', 'image/png', 'application/json'])('rejects %s', async (type) => {
    await upload(client, file).set('Content-Type', type).expect(415);
  });
});
