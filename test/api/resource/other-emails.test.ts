/** A lead or contact has up to ten other addresses. Each finds it as its main one does, and nobody else can have it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allScopes, startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { csv, errorsOf, importFile } from '../../support/imports.ts';
import { contacts, leads, make, type TestResource } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client(allScopes);
});

afterAll(() => app.close());

const newEmails = (count: number) => Array.from({ length: count }, () => uniqueEmail());

describe.each([
  ['leads', leads, 'lead_emails'],
  ['contacts', contacts, 'contact_emails'],
] as [string, TestResource, string][])('the other addresses of %s', (name, resource, table) => {
  const { path } = resource;
  const read = async (id: string) => (await client.get(`${path}/${id}`).expect(200)).body.data;
  const found = async (query: string) =>
    (await client.get(`${path}?${query}`).expect(200)).body.data.map(({ id }: { id: string }) => id);

  /** The table of all addresses has exactly those of the rows. */
  afterAll(async () => {
    const { knex } = app.production;
    const rows = await knex.raw(
      `select count(*)::int as wrong from (
         select unnest(string_to_array(all_emails(email, other_emails), ' ')), id from ${name}
       ) as own(email, owner_id) full join ${table} using (email, owner_id)
       where not exists (select from ${name} where id = owner_id)
         or not exists (select from ${table} where ${table}.email = own.email)`,
    );
    expect(rows.rows).toEqual([{ wrong: 0 }]);
  });

  it('are shown each once, without the main one, and with their domains in ASCII', async () => {
    const [main = '', other = ''] = newEmails(2);
    const other_emails = [
      other,
      main.toUpperCase(),
      `ada.${other.split('@')[0]}@münchen.example`,
      other.toUpperCase(),
    ];
    const { body } = await client.post(path, { ...resource.input(), email: main, other_emails }).expect(201);
    expect(body.data).toMatchObject({
      email: main,
      other_emails: [
        expect.stringMatching(new RegExp(other, 'i')),
        `ada.${other.split('@')[0]}@xn--mnchen-3ya.example`,
      ],
    });
  });

  it('are at most ten valid ones', async () => {
    await client
      .post(path, { ...resource.input(), other_emails: newEmails(11) })
      .expect(422)
      .expect(({ body }) => expect(Object.keys(body.errors)).toEqual(['other_emails']));
    await client
      .post(path, { ...resource.input(), other_emails: ['ada'] })
      .expect(422)
      .expect(({ body }) => expect(Object.keys(body.errors)).toEqual(['other_emails.0']));
  });

  it('can be those of nobody else, in any case', async () => {
    const [main = '', other = '', third = ''] = newEmails(3);
    const { id } = await make(client, resource, { email: main, other_emails: [other] });
    const free = await make(client, resource);
    const taken = [
      [{ email: other.toUpperCase() }, 'email'],
      [{ other_emails: [third, main.toUpperCase()] }, 'other_emails'],
      [{ other_emails: [other] }, 'other_emails'],
    ] as const;
    for (const [fields, field] of taken) {
      const expected = {
        code: 'duplicate_email',
        existing_id: id,
        errors: { [field]: [expect.stringContaining('is already used by another')] },
      };
      const input = { ...resource.input(), ...fields };
      const answers = [
        await client.post(path, input).expect(422),
        await client.patch(`${path}/${free.id}`, fields).expect(422),
      ];
      for (const { body } of answers) expect(body).toMatchObject(expected);
      const batch = await client.post(`${path}/batch/create`, { items: [input] }).expect(200);
      expect(batch.body.data[0]).toMatchObject({ ...expected, status: 'failed' });
    }
    // Nothing of what failed is left.
    await make(client, resource, { email: third });
  });

  it.each([
    ['the main one of each', (email: string) => ({ email })],
    ['another one of each', (email: string) => ({ other_emails: [email] })],
  ])('ten creations at once with one address, %s: one succeeds', async (_what, fieldsOf) => {
    const shared = uniqueEmail();
    const inputs = Array.from({ length: 10 }, (_, index) =>
      index % 2 === 0 ? fieldsOf(shared) : { other_emails: [shared] },
    );
    const answers = await Promise.all(
      inputs.map((fields) => client.post(path, { ...resource.input(), ...fields })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      201,
      ...Array.from({ length: 9 }, () => 422),
    ]);
    const winner = answers.find(({ status }) => status === 201)?.body.data.id;
    for (const { status, body } of answers) if (status === 422) expect(body.existing_id).toBe(winner);
  });

  it('are free again when they are removed, or their owner is, and after a rejected request', async () => {
    const [main = '', other = '', third = ''] = newEmails(3);
    const external_id = `crm-${main}`;
    const { id } = await make(client, resource, { email: main, other_emails: [other, third], external_id });
    await client.post(path, { ...resource.input(), external_id }).expect(422);
    const rejected = uniqueEmail();
    await client.post(path, { ...resource.input(), email: rejected, external_id }).expect(422);
    await make(client, resource, { email: rejected });
    await client.patch(`${path}/${id}`, { other_emails: [third] }).expect(200);
    await make(client, resource, { email: other });
    await client.delete(`${path}/${id}`).expect(204);
    await make(client, resource, { email: main, other_emails: [third] });
  });

  it('swap with the main one that is set to one of them', async () => {
    const [main = '', first = '', second = ''] = newEmails(3);
    const { id } = await make(client, resource, { email: main, other_emails: [first, second] });
    const { body } = await client.patch(`${path}/${id}`, { email: second.toUpperCase() }).expect(200);
    expect(body.data).toMatchObject({ email: second.toUpperCase(), other_emails: [first, main] });
    // A correction is no swap.
    const corrected = uniqueEmail();
    await client.patch(`${path}/${id}`, { email: corrected }).expect(200);
    expect(await read(id)).toMatchObject({ email: corrected, other_emails: [first, main] });
    await client.patch(`${path}/${id}`, { other_emails: null }).expect(200);
    expect(await read(id)).toMatchObject({ email: corrected, other_emails: [] });
  });

  it('find their owner by filter, search, batch, lookup and upsert, which keeps the main one', async () => {
    const [main = '', other = ''] = newEmails(2);
    const { id } = await make(client, resource, { email: main, other_emails: [other] });
    const unlike = other.toUpperCase();
    expect(await found(`email=${unlike}`)).toEqual([id]);
    expect(await found(`search=${unlike}`)).toEqual([id]);
    const batch = await client.post(`${path}/batch/read`, { emails: [unlike] }).expect(200);
    expect(batch.body.data).toMatchObject([{ status: 'found', id }]);
    const person = await client.post('/people/lookup', { email: unlike }).expect(200);
    expect(person.body.data[name]).toMatchObject([{ id }]);
    const items = [{ ...resource.input('Grace'), email: unlike }];
    const upserts = await client.post(`${path}/batch/upsert`, { match: 'email', items }).expect(200);
    expect(upserts.body.data).toMatchObject([{ status: 'updated', id }]);
    expect(await read(id)).toMatchObject({ name: 'Grace', email: main, other_emails: [other] });
  });

  it('find their owner in an import, which adds to them or replaces them', async () => {
    const [main = '', other = '', more = ''] = newEmails(3);
    const { id } = await make(client, resource, { email: main, other_emails: [other] });
    const file = csv('name,email,other_emails', `Grace,${other},${more}`);
    const query = `resource=${name}&on_duplicate=merge`;
    const tried = await importFile(app, client, file, `${query}&dry_run=true`);
    expect(tried.counts).toMatchObject({ updated: 1, failed: 0 });
    const merged = await importFile(app, client, file, query);
    expect(merged.counts).toMatchObject({ updated: 1, failed: 0 });
    expect(await read(id)).toMatchObject({ email: main, other_emails: [other, more] });
    const updating = csv('name,email', `Grace,"${main}; ${more}"`);
    await importFile(app, client, updating, `resource=${name}&on_duplicate=update`);
    expect(await read(id)).toMatchObject({ name: 'Grace', email: main, other_emails: [more] });
    const taken = csv('name,email,other_emails', `Eve,${uniqueEmail()},${main}`);
    const failed = await importFile(app, client, taken, `resource=${name}&on_duplicate=update`);
    expect(await errorsOf(client, failed.id)).toMatchObject([
      { code: 'duplicate_email', field: 'other_emails' },
    ]);
  });

  it('of both stay in a merge, up to ten, and the rest finds the one that stays as well', async () => {
    const [main = '', ...own] = newEmails(8);
    const [otherMain = '', ...others] = newEmails(6);
    const stays = await make(client, resource, { email: main, other_emails: own });
    const other = await make(client, resource, { email: otherMain, other_emails: others });
    const key = `${path.slice(1, -1)}_id`;
    await client.post(`${path}/${stays.id}/merge`, { [key]: other.id }).expect(200);
    const kept = [...own, otherMain, ...others].slice(0, 10);
    expect(await read(stays.id)).toMatchObject({ email: main, other_emails: kept });
    for (const email of others.slice(3)) {
      const items = [{ ...resource.input('Grace'), email: email.toUpperCase() }];
      const { body } = await client.post(`${path}/batch/upsert`, { match: 'email', items }).expect(200);
      expect(body.data).toMatchObject([{ id: stays.id }]);
      const file = csv('name,email', `Grace,${email}`);
      const { counts } = await importFile(app, client, file, `resource=${name}&on_duplicate=update`);
      expect(counts).toMatchObject({ unchanged: 1 });
    }
    const erasure = await client.post('/erasures', { email: others.at(-1) }).expect(201);
    expect(erasure.body.data.counts).toMatchObject({ [name]: 1 });
    await client.get(`${path}/${stays.id}`).expect(404);
  });

  it('are in the history, and former ones name who had them', async () => {
    const [main = '', other = ''] = newEmails(2);
    const { id } = await make(client, resource, { email: main, other_emails: [other] });
    await client.patch(`${path}/${id}`, { other_emails: [] }).expect(200);
    const { body } = await client.get(`${path}/${id}/events`).expect(200);
    expect(body.data[0].data.changes).toEqual({ other_emails: { from: [other], to: [] } });
    const person = await client.post('/people/lookup', { email: other }).expect(200);
    expect(person.body.data).toMatchObject({ [name]: [], former: [id] });
  });

  it('are likely duplicates of addresses with the same beginning, whatever its dots and what follows a plus', async () => {
    const mark = `q${uniqueEmail().split('@')[0]?.replaceAll('-', '')}`;
    const one = await make(client, resource, { other_emails: [`ada.${mark}@gmail.com`] });
    const two = await make(client, resource, { email: `a.da${mark}+news@googlemail.com` });
    await make(client, resource, {
      email: `ada.${mark}x@gmail.com`,
      other_emails: [`ada${mark}x@example.com`],
    });
    const { body } = await client.get(`${path}/duplicates?reason=email_local_part&per_page=100`).expect(200);
    const groups = body.data.map((group: Record<string, { id: string }[]>) =>
      (group[name] ?? []).map(({ id }) => id),
    );
    expect(groups).toContainEqual([one.id, two.id].toSorted());
    // One person is no duplicate, and what is likely is not equal.
    expect(groups.flat()).not.toContain(await found(`email=ada.${mark}x@gmail.com`));
    expect(await found(`email=ada${mark}@gmail.com`)).toEqual([]);
  });
});
