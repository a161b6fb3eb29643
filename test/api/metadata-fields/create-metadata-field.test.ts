/** Keys of metadata are declared. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';

let app: TestApp;
let admin: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  admin = await app.client(['read', 'write', 'admin']);
});

afterAll(() => app.close());

const post = (body: object) => admin.post('/metadata-fields', { resource: 'leads', type: 'number', ...body });

describe('createMetadataField', () => {
  it('shows the declaration, which is being converted at first', async () => {
    const { body, headers } = await post({ key: 'first', label: 'The first' }).expect(201);
    expect(body.data).toMatchObject({
      resource: 'leads',
      key: 'first',
      label: 'The first',
      type: 'number',
      options: null,
      indexed: false,
      status: 'converting',
      version: 1,
    });
    expect(headers.location).toMatch(new RegExp(`/metadata-fields/${body.data.id}$`));
    const job = await admin.get(`/bulk-jobs/${body.data.job_id}`).expect(200);
    expect(job.body.data).toMatchObject({
      kind: 'declare',
      resources: ['leads'],
      action: { declare: { field_id: body.data.id, key: 'first', unfit: 'reject' } },
    });
  });

  it.each([
    ['key', 'key is required.', { key: undefined }],
    ['key', 'key must be a key without control characters, dots, commas and brackets.', { key: 'a.b' }],
    ['type', 'type must be one of text, number, boolean, date, choice.', { key: 'x', type: 'colour' }],
    [
      'type',
      'type can only be text for phone_extension, which holds the extensions of phone numbers.',
      { key: 'phone_extension' },
    ],
    ['options', 'options is required for a choice.', { key: 'x', type: 'choice' }],
    ['options', 'options can only be sent for a choice.', { key: 'x', options: ['a'] }],
    ['resource', 'resource must be one of leads, contacts, content.', { key: 'x', resource: 'users' }],
  ])('refuses a wrong %s: %s', async (field, message, body) => {
    const answer = await post(body).expect(422);
    expect(answer.body.errors).toEqual({ [field]: [message] });
  });

  it.each(['none', 'a,b'])('refuses %j as an option', async (option) => {
    const answer = await post({ key: 'x', type: 'choice', options: ['a', option] }).expect(422);
    expect(Object.keys(answer.body.errors)).toEqual(['options.1']);
  });

  it('refuses a key of the same resource that is declared already', async () => {
    await post({ key: 'twice' }).expect(201);
    const { body } = await post({ key: 'twice', type: 'date' }).expect(422);
    expect(body.errors).toEqual({ key: ['key is declared already for leads.'] });
    await post({ key: 'twice', resource: 'contacts' }).expect(201);
  });

  it('takes ten indexed keys of a resource, also at the same time', async () => {
    const keys = Array.from({ length: 12 }, (_, index) => `indexed ${index}`);
    const answers = await Promise.all(keys.map((key) => post({ key, resource: 'content', indexed: true })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(201), 422, 422]);
    const refused = answers.find(({ status }) => status === 422);
    expect(refused?.body.errors).toEqual({
      indexed: ["indexed can't be true for more than 10 keys: set it to false for another one first."],
    });
  });

  it('needs the scope admin', async () => {
    const writer = await app.client(['read', 'write']);
    const answer = await writer.post('/metadata-fields', { resource: 'leads', key: 'y', type: 'date' });
    expect([answer.status, answer.body.required_scope]).toEqual([403, 'admin']);
  });
});
