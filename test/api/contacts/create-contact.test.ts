import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { contacts, expectRefusal, make, users } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

describe('POST /contacts', () => {
  it('takes every field and shows every field', async () => {
    const input = {
      name: 'Ada Lovelace',
      email: uniqueEmail(),
      other_emails: [uniqueEmail(), uniqueEmail()],
      phone: '+4915112345678',
      company: 'Analytical Engines',
      title: 'Head of Engineering',
      tags: ['vip', 'eu'],
      assigned_user_id: (await make(client, users)).id,
      external_id: 'every-field',
      next_step: 'Call',
      next_step_at: '2099-01-31T09:00:00.000Z',
      metadata: { plan: 'gold' },
    };
    const { body } = await client.post('/contacts', { ...input, tags: ['vip', 'eu', 'vip'] }).expect(201);
    const { id, created_at, updated_at } = body.data;
    expect(body.data).toEqual({ ...input, id, created_at, updated_at, version: 1 });
  });

  it('needs a name only, and fills the rest with null and empty', async () => {
    const { body } = await client.post('/contacts', { name: 'Ada' }).expect(201);
    const { id, created_at } = body.data;
    expect(body.data).toEqual({
      ...{ id, name: 'Ada', email: null, phone: null, company: null, title: null },
      ...{ other_emails: [], tags: [], assigned_user_id: null, external_id: null, metadata: {} },
      ...{ next_step: null, next_step_at: null },
      ...{ version: 1, created_at, updated_at: created_at },
    });
    await client.post('/contacts', { name: 'Ada' }).expect(201);
  });

  it('sees the same email in another case', async () => {
    const { id } = await make(client, contacts, { email: 'Ada@Example.com' });
    const body = { name: 'Ada', email: 'ada@EXAMPLE.com' };
    const refused = await expectRefusal(client.post('/contacts', body), {
      field: 'email',
      code: 'duplicate_email',
    });
    expect(refused.existing_id).toBe(id);
  });

  it.each([
    ['email', 'nobody'],
    ['phone', '0151'],
    ['company', ' '],
    ['title', ''],
    ['assigned_user_id', 'x'],
    ['assigned_user_id', 'user_01h455vb4pex5vsknk084sn02q'],
    ['assigned_user_id', 'lead_01h455vb4pex5vsknk084sn02q'],
    ['external_id', 'e'.repeat(129)],
    ['tags', 'vip'],
    ['metadata', 'plan'],
    ['status', 'new'],
  ])('rejects %s %j by name', async (field, value) => {
    await expectRefusal(client.post('/contacts', { name: 'Ada', [field]: value }), { field });
  });

  it('names a wrong tag and a wrong text by their places', async () => {
    const tags = client.post('/contacts', { name: 'Ada', tags: ['a', 'b', ' '] });
    await expectRefusal(tags, { field: 'tags.2' });
    const metadata = client.post('/contacts', { name: 'Ada', metadata: { plan: 'x'.repeat(501) } });
    await expectRefusal(metadata, { field: 'metadata.plan' });
  });
});
