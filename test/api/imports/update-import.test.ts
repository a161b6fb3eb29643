import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { uniqueEmail } from '../../support/factories.ts';
import {
  changeImport,
  csv,
  errorsOf,
  importFile,
  readImport,
  send,
  startImport,
} from '../../support/imports.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const draftOf = (file: string) => send(client, file, 'start=false');
const file = () => csv('Full name,E-Mail,Plan', `Ada,${uniqueEmail()},gold`);

const change = (id: string, changes: object) => changeImport(client, id, changes);

const start = (id: string) => startImport(app, client, id);

describe('PATCH /imports/{id}', () => {
  it('changes how a draft is read, and what it leaves unused', async () => {
    const email = uniqueEmail();
    const draft = await draftOf(csv('Full name,E-Mail,Plan,Phone', `Ada,${email},gold,030 123456`));
    const path = `/imports/${draft.id}`;
    const changes = {
      mapping: { Plan: 'metadata.plan', Phone: 'phone' },
      defaults: { source: 'referral' },
      values: { 'metadata.plan': { Gold: 'best' } },
      locale: 'de-DE',
      default_country: 'de',
    };
    const { body, headers } = await client.patch(path, changes).expect(200);
    expect(body.data).toEqual({
      ...draft,
      ...changes,
      mapping: { 'Full name': 'name', 'E-Mail': 'email', Plan: 'metadata.plan', Phone: 'phone' },
      default_country: 'DE',
      unused_columns: [],
      updated_at: expect.any(String),
      version: 2,
    });
    expect(headers.etag).toBe('"2"');
    expect((await client.get(path)).body).toEqual(body);
    expect(await start(draft.id)).toMatchObject({ counts: { created: 1, warned: 0 } });
    const { body: found } = await client.get(`/leads?email=${email}`).expect(200);
    expect(found.data).toMatchObject([
      { source: 'referral', phone: '+4930123456', metadata: { plan: 'best' } },
    ]);
  });

  it('merges by key, and null removes', async () => {
    const { id } = await draftOf(file());
    const first = {
      mapping: { Plan: 'metadata.plan' },
      defaults: { source: 'referral', tags: 'a' },
      values: {
        status: { Open: 'new', Closed: 'lost' },
        source: { Show: { source: 'manual', source_detail: 'Show', tags: 'b' }, Web: 'website' },
      },
      locale: 'de',
      default_country: 'DE',
    };
    await change(id, first);
    const second = {
      mapping: { 'Full name': null },
      defaults: { source: null, company: 'Engines' },
      values: { status: null, source: { Show: { tags: null, source_detail: 'Fair' }, Web: null, Fax: '' } },
      locale: null,
    };
    const patched = await client
      .with({ 'Content-Type': 'application/merge-patch+json' })
      .patch(`/imports/${id}`, second)
      .expect(200);
    expect(patched.body.data).toMatchObject({
      mapping: { 'Full name': null, 'E-Mail': 'email', Plan: 'metadata.plan' },
      defaults: { tags: 'a', company: 'Engines' },
      locale: null,
      default_country: 'DE',
    });
    expect(patched.body.data.values).toEqual({
      source: { Show: { source: 'manual', source_detail: 'Fair' }, Fax: '' },
    });
    const cleared = await change(id, { defaults: null, values: null, default_country: null });
    expect(cleared).toMatchObject({ defaults: {}, values: {}, default_country: null });
  });

  it('gives a text no value', async () => {
    const email = uniqueEmail();
    const values = { source: { Unknown: '' }, status: { Junk: { status: '', source_detail: 'Junk' } } };
    const rows = csv('name,email,source,status', `Ada,${email},unknown,junk`);
    const done = await importFile(app, client, rows, 'start=true', { values });
    expect(await errorsOf(client, done.id)).toEqual([]);
    const { body } = await client.get(`/leads?email=${email}`).expect(200);
    expect(body.data).toMatchObject([{ status: 'new', source_detail: 'Junk' }]);
  });

  it('changes nothing, nor the version, if nothing differs', async () => {
    const draft = await draftOf(file());
    expect(await change(draft.id, {})).toEqual(draft);
    const changes = { mapping: { Plan: null }, locale: null, defaults: { source: null }, values: {} };
    const decided = await change(draft.id, changes);
    expect(decided).toMatchObject({ mapping: draft.mapping, unused_columns: draft.unused_columns });
    expect(await change(draft.id, changes)).toEqual(decided);
  });

  it('checks If-Match, and changes once per Idempotency-Key and nothing with Dry-Run', async () => {
    const { id } = await draftOf(file());
    const changes = { locale: 'de' };
    const by = (headers: object) =>
      client.with(headers as Record<string, string>).patch(`/imports/${id}`, changes);
    expect((await by({ 'If-Match': '"2"' }).expect(412)).body.code).toBe('version_mismatch');
    const tried = await by({ 'If-Match': '"1"', 'Dry-Run': 'true' }).expect(200).expect('Dry-Run', 'true');
    expect(tried.body.data).toMatchObject({ locale: 'de', version: 2 });
    expect(await readImport(client, id)).toMatchObject({ locale: null, version: 1 });
    const key = { 'If-Match': '"1"', 'Idempotency-Key': randomUUID() };
    const first = await by(key).expect(200);
    const second = await by(key).expect(200).expect('Idempotency-Replayed', 'true');
    expect(second.body).toEqual(first.body);
    expect(await readImport(client, id)).toMatchObject({ locale: 'de', version: 2 });
  });

  it.each([
    [{ mapping: { Mail: 'email' } }, 'mapping.Mail', 'mapping.Mail is not a column of the file.'],
    [
      { mapping: { Plan: 'colour' } },
      'mapping.Plan',
      /^mapping\.Plan must be one of name, email, .*, or a key of an object, such as metadata\.plan\.$/,
    ],
    [{ mapping: { Plan: 'title' } }, 'mapping.Plan', / must be one of/],
    [{ mapping: { Plan: '__proto__' } }, 'mapping.Plan', / must be one of/],
    [{ mapping: { Plan: 'name.second' } }, 'mapping.Plan', / must be one of/],
    [{ mapping: null }, 'mapping', 'mapping must be an object.'],
    [{ defaults: { id: 'x' } }, 'defaults.id', / must be one of/],
    [{ values: { colour: { red: 'new' } } }, 'values.colour', / is not a field of leads/],
    [
      { values: { source: { Show: { colour: 'x' } } } },
      'values.source.Show.colour',
      / is not a field of leads/,
    ],
    [{ values: { source: { Show: 5 } } }, 'values.source.Show', /./],
    [{ locale: 'not a locale' }, 'locale', /^locale must be a language tag/],
    [{ default_country: 'XX' }, 'default_country', /^default_country must be the code of a country/],
    [{ resource: 'contacts' }, 'resource', /./],
    [{ on_duplicate: 'merge' }, 'on_duplicate', /./],
  ])('answers 422 to %j', async (changes, field, message) => {
    const draft = await draftOf(file());
    const { body } = await client.patch(`/imports/${draft.id}`, changes).expect(422);
    expect(body.code).toBe('validation_failed');
    expect(body.errors).toEqual({
      [field]: [typeof message === 'string' ? message : expect.stringMatching(message)],
    });
    expect(await readImport(client, draft.id)).toEqual(draft);
  });

  it('limits what there is after the change', async () => {
    const { id } = await draftOf(file());
    const values = (field: string, count: number) => ({
      [field]: Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`${'x'.repeat(90)}${index}`, 'referral']),
      ),
    });
    const refused = (changes: object) => client.patch(`/imports/${id}`, changes).expect(422);
    expect((await refused({ values: values('source', 1_000) })).body.errors).toHaveProperty('values');
    await change(id, { values: values('source', 500) });
    const { body } = await refused({ values: values('status', 500) });
    expect(body.errors.values).toEqual([expect.stringMatching(/64 KiB of JSON after the change/)]);
    await client.patch(`/imports/${id}`, { values: values('source', 10_000) }).expect(413);
    const defaults = (from: number, to: number, text: string) =>
      Object.fromEntries(
        Array.from({ length: to - from }, (_, index) => [`metadata.key${from + index}`, text]),
      );
    await change(id, { defaults: defaults(0, 40, 'x') });
    const many = await refused({ defaults: defaults(40, 61, 'x') });
    expect(many.body.errors).toHaveProperty('defaults');
    await change(id, { defaults: defaults(0, 12, 'x'.repeat(480)) });
    const large = await refused({ defaults: defaults(12, 24, 'x'.repeat(480)) });
    expect(large.body.errors).toHaveProperty('defaults');
  });
});
