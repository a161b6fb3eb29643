import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { tokenOf } from '../../support/hooks.ts';
import { content, expectRefusal, make, users } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client();
});

afterAll(() => app.close());

const create = (fields: object) => client.post('/inbound-hooks', { name: 'Contact form', ...fields });

const hmac = { type: 'hmac_sha256', header: 'X-Signature', secret: 'a-secret-of-theirs' };

/** All stored hooks and responses, as text. */
async function stored(): Promise<string> {
  const { rows } = await app.production.knex.raw(`
    select (select json_agg(h)::text from inbound_hooks h) || coalesce((select json_agg(k)::text from idempotency_keys k), '')
      as text`);
  return rows[0].text;
}

describe('POST /inbound-hooks', () => {
  it('creates a hook for a form with the usual fields if only a name is given', async () => {
    const { body, headers } = await create({}).expect(201);
    expect(headers['cache-control']).toBe('no-store');
    expect(body.data).toMatchObject({
      status: 'enabled',
      lead_source: 'website',
      default_tags: [],
      assigned_user_id: null,
      content_id: null,
      mapping: {
        name: expect.arrayContaining(['/name', '/full_name']),
        email: expect.arrayContaining(['/email']),
        phone: expect.arrayContaining(['/phone']),
        company: expect.arrayContaining(['/company']),
        note: expect.arrayContaining(['/message']),
      },
      default_country: null,
      locale: null,
      values: {},
      accept_if: null,
      verification: {
        type: 'none',
        header: null,
        encoding: null,
        prefix: null,
        signed: null,
        timestamp_header: null,
        tolerance: null,
        path: null,
      },
      on_duplicate: 'merge',
    });
  });

  it('accepts every field, and returns all but the secret', async () => {
    const fields = {
      status: 'paused',
      lead_source: 'referral',
      default_tags: ['ads'],
      assigned_user_id: (await make(client, users)).id,
      content_id: (await make(client, content)).id,
      mapping: {
        name: '/lead/full~1name',
        email: { path: '/lead/emails/0' },
        company: { path: '/lead/company', default: 'Unknown' },
        phone: [{ path: '/lead/phone' }, "$.answers[?@.field=='phone'].text"],
        note: { join: ['/subject', '/text'], with: ': ' },
        tags: ['/campaign', '/interests'],
        'metadata.campaign': '/campaign/id',
      },
      default_country: 'DE',
      locale: 'de-DE',
      values: { source: { 'Trade show': { source: 'referral', source_detail: 'Trade show' } } },
      accept_if: { path: '/is_test', not_equals: 'true' },
      on_duplicate: 'reject',
    };
    const verification = { ...hmac, encoding: 'base64', prefix: 'sha256=' };
    const { body } = await create({ ...fields, verification }).expect(201);
    const { secret: _secret, ...shown } = verification;
    expect(body.data).toMatchObject({ ...fields, verification: shown });
    expect(JSON.stringify(body)).not.toContain(hmac.secret);
  });

  it('never returns the address and the secret again', async () => {
    const { body } = await create({ verification: hmac }).expect(201);
    const { data } = (await client.get(`/inbound-hooks/${body.data.id}`).expect(200)).body;
    expect(data.verification).toEqual({
      type: 'hmac_sha256',
      header: 'X-Signature',
      encoding: 'hex',
      prefix: null,
      signed: '{body}',
      timestamp_header: null,
      tolerance: null,
      path: null,
    });
    expect(data).not.toHaveProperty('url');
    expect(JSON.stringify(data)).not.toContain(hmac.secret);
    expect(JSON.stringify(data)).not.toContain(tokenOf(body.data.url));
  });

  it.each([
    ['production', /^https:\/\/api\.test\/v1\/hooks\/lph_live_[\w-]{43}$/],
    ['sandbox', /^https:\/\/api\.test\/sandbox\/v1\/hooks\/lph_test_[\w-]{43}$/],
  ] as const)('returns a unique address in %s', async (environment, url) => {
    const as = await app.client(undefined, environment);
    const urls = await Promise.all([1, 2].map(() => as.post('/inbound-hooks', { name: 'Form' }).expect(201)));
    for (const { body } of urls) expect(body.data.url).toMatch(url);
    expect(urls[0]?.body.data.url).not.toBe(urls[1]?.body.data.url);
  });

  it('stores neither the address nor the secret in plain text, but can repeat its response', async () => {
    const once = client.with({ 'Idempotency-Key': randomUUID() });
    const first = await once.post('/inbound-hooks', { name: 'Form', verification: hmac }).expect(201);
    const second = await once.post('/inbound-hooks', { name: 'Form', verification: hmac }).expect(201);
    expect(second.text).toBe(first.text);
    const text = await stored();
    expect(text).toContain('Form');
    expect(text).not.toContain(tokenOf(first.body.data.url));
    expect(text).not.toContain(hmac.secret);
    expect(text).not.toContain(Buffer.from(hmac.secret).toString('hex'));
  });

  it.each([
    [{ mapping: { name: '/name', email: '/email', colour: '/colour' } }, 'mapping.colour'],
    [{ mapping: { name: '/name', email: '/email', metadata: '/all' } }, 'mapping.metadata'],
    [{ mapping: { name: '/name', email: '/email', 'metadata.': '/x' } }, 'mapping.metadata.'],
    [{ mapping: { name: '/name' } }, 'mapping.email'],
    [{ mapping: { email: '/email' } }, 'mapping.name'],
    [{ mapping: { name: 'name', email: '/email' } }, 'mapping.name'],
    [{ mapping: { name: '/na~2me', email: '/email' } }, 'mapping.name'],
    [{ mapping: { name: '', email: '/email' } }, 'mapping.name'],
    [{ mapping: { name: 7, email: '/email' } }, 'mapping.name'],
    [{ mapping: { name: { default: 'x' }, email: '/email' } }, 'mapping.name'],
    [{ mapping: { name: { path: 'x' }, email: '/email' } }, 'mapping.name.path'],
    [{ mapping: { name: { path: '/x', default: 7 }, email: '/email' } }, 'mapping.name.default'],
    [{ mapping: { name: { path: '/x', code: 'y' }, email: '/email' } }, 'mapping.name.code'],
    [{ mapping: { name: '/name', email: '/email', tags: 7 } }, 'mapping.tags'],
    [{ mapping: { name: '/name', email: '/email', tags: ['/tags', 'x'] } }, 'mapping.tags.1'],
    [{ mapping: null }, 'mapping'],
    [{ default_country: 'XX' }, 'default_country'],
    [{ default_country: 'de' }, 'default_country'],
    [{ locale: 'a-b' }, 'locale'],
    [{ locale: 'xx' }, 'locale'],
    [{ values: { status: 'new' } }, 'values.status'],
    [
      {
        values: {
          source: Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`${n}`, 'x'.repeat(400)])),
        },
      },
      'values',
    ],
    [{ verification: { type: 'magic' } }, 'verification.type'],
    [{ verification: { header: 'X-Signature' } }, 'verification.type'],
    [{ verification: { type: 'none', secret: 'a-secret-of-theirs' } }, 'verification.secret'],
    [{ verification: { type: 'none', prefix: 'x' } }, 'verification.prefix'],
    [{ verification: { type: 'hmac_sha256', secret: 'a-secret-of-theirs' } }, 'verification.header'],
    [{ verification: { type: 'hmac_sha256', header: 'X-Signature' } }, 'verification.secret'],
    [{ verification: { ...hmac, encoding: 'base32' } }, 'verification.encoding'],
    [{ verification: { ...hmac, header: 'X Signature' } }, 'verification.header'],
    [{ verification: { ...hmac, secret: 'short' } }, 'verification.secret'],
    [{ verification: { ...hmac, type: 'shared_header', encoding: 'hex' } }, 'verification.encoding'],
    [{ verification: { ...hmac, type: 'standard_webhooks' } }, 'verification.header'],
    [{ verification: { type: 'standard_webhooks', secret: 'whsec_not*base64' } }, 'verification.secret'],
    [{ name: 'Contact \u202emrof' }, 'name'],
    [{ status: 'disabled' }, 'status'],
    [{ lead_source: 'ads' }, 'lead_source'],
    [{ on_duplicate: 'overwrite' }, 'on_duplicate'],
    [{ default_tags: [''] }, 'default_tags.0'],
    [{ assigned_user_id: 'user_01h455vb4pex5vsknk084sn02q' }, 'assigned_user_id'],
    [{ content_id: 'content_01h455vb4pex5vsknk084sn02q' }, 'content_id'],
    [{ url: 'https://example.com' }, 'url'],
  ])('rejects %j by name', async (fields, field) => {
    await expectRefusal(create(fields), { field });
  });

  it('accepts only an active user as the assignee', async () => {
    const { id } = await make(client, users, { active: false });
    await expectRefusal(create({ assigned_user_id: id }), { field: 'assigned_user_id' });
  });
});
