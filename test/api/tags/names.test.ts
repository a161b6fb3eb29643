/** A filter separates tags by commas, and uses `none` for what has no value. So no door takes such a name. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead, leadInput, uniqueEmail } from '../../support/factories.ts';
import { formInput, fullMapping, makeHook, sendAndRead } from '../../support/hooks.ts';
import { csv, importFile, ndjson } from '../../support/imports.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const NO_COMMA = 'must contain a visible character and no comma';
const NOT_NONE = 'must not be none, which filters use for what has no value';
const wrongTags = [
  ['a,b', NO_COMMA],
  [',', NO_COMMA],
  ['a,', NO_COMMA],
  [' ', NO_COMMA],
  ['none', NOT_NONE],
];

interface Sent {
  status: number;
  body: { errors?: object; data?: { errors?: object }[] };
}

/** By the door, what is sent there with this tag. */
const doors: Record<string, (tag: string) => PromiseLike<Sent>> = {
  'POST /leads': (tag) => client.post('/leads', leadInput({ tags: [tag] })),
  'PATCH /leads/{id} with tags': async (tag) =>
    client.patch(`/leads/${(await createLead(client)).id}`, { tags: ['ok', tag] }),
  'PATCH /leads/{id} with add_tags': async (tag) =>
    client.patch(`/leads/${(await createLead(client)).id}`, { add_tags: [tag] }),
  'POST /contacts': (tag) => client.post('/contacts', { name: 'Ada', tags: [tag] }),
  'PATCH /contacts/{id}': async (tag) => {
    const { body } = await client.post('/contacts', { name: 'Ada' }).expect(201);
    return client.patch(`/contacts/${body.data.id}`, { add_tags: [tag] });
  },
  'POST /content': (tag) => client.post('/content', { title: 'A guide', type: 'article', tags: [tag] }),
  'POST /inbound-hooks': (tag) => client.post('/inbound-hooks', { name: 'Form', default_tags: [tag] }),
  'PATCH /inbound-hooks/{id}': async (tag) =>
    client.patch((await makeHook(client)).path, { default_tags: [tag] }),
  'POST /bulk-jobs': (tag) =>
    client.post('/bulk-jobs', {
      resource: 'leads',
      filter: { tag: ['x'] },
      action: { update: { add_tags: [tag] } },
    }),
};

describe.each(Object.entries(doors))('%s', (_door, sendTag) => {
  it.each(wrongTags)('refuses the tag "%s"', async (tag, message) => {
    const { status, body } = await sendTag(tag);
    expect(status).toBe(422);
    expect(Object.values(body.errors ?? {})).toEqual([[expect.stringMatching(` ${message}.$`)]]);
  });
});

describe('POST /leads/batch/create', () => {
  it('refuses only the items that have a tag with a comma', async () => {
    const items = [leadInput({ tags: ['a,b'] }), leadInput({ tags: ['vip'] })];
    const { body } = await client.post('/leads/batch/create', { items }).expect(200);
    expect(body.data).toMatchObject([
      { errors: { 'tags.0': [`tags.0 ${NO_COMMA}.`] } },
      { lead: { tags: ['vip'] } },
    ]);
  });
});

describe('what other systems send', () => {
  it('becomes several tags, in a hook and in each kind of file', async () => {
    const hook = await makeHook(client, { mapping: fullMapping });
    const { lead } = await sendAndRead(app, client, hook, formInput({ tags: ['red, green', 'blue'] }));
    expect(lead).toMatchObject({ tags: ['red', 'green', 'blue'] });
    for (const file of [
      (email: string) => csv('name,email,tags', `Ada,${email},"[""red, green"",""blue""]"`),
      (email: string) => ndjson({ name: 'Ada', email, tags: ['red, green', 'blue'] }),
    ]) {
      const email = uniqueEmail();
      expect((await importFile(app, client, file(email))).counts).toMatchObject({ created: 1 });
      const { body } = await client.get(`/leads?email=${email}&tag=green`).expect(200);
      expect(body.data).toMatchObject([{ tags: ['red', 'green', 'blue'] }]);
    }
  });
});

describe('a name that filters use for what has no value', () => {
  it.each([
    ['leads', 'source_detail'],
    ['leads', 'lost_reason'],
    ['leads', 'company'],
    ['contacts', 'company'],
  ])('is refused: none, for %s as %s', async (resource, field) => {
    const input = { ...leadInput(), ...(field === 'lost_reason' && { status: 'lost' }) };
    const body = resource === 'leads' ? input : { name: 'Ada' };
    const answer = await client.post(`/${resource}`, { ...body, [field]: 'none' }).expect(422);
    expect(answer.body.errors).toEqual({ [field]: [`${field} ${NOT_NONE}.`] });
    const { data } = (await client.post(`/${resource}`, { ...body, [field]: 'None at all' }).expect(201))
      .body;
    await client.patch(`/${resource}/${data.id}`, { [field]: 'none' }).expect(422);
  });

  it('finds only what has no value', async () => {
    const search = randomUUID();
    const lead = await createLead(client, { name: search });
    await createLead(client, { name: search, source_detail: 'None' });
    const { body } = await client.get(`/leads?search=${search}&source_detail=none`).expect(200);
    expect(body.data).toMatchObject([{ id: lead.id }]);
  });
});
