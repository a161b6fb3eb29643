/** Each type of a declared key, at every door: what goes in is what comes out. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { components } from '../../../generated/api.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { doJob } from '../../support/bulk-jobs.ts';
import type { TestClient } from '../../support/client.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { formInput, makeHook, sendIn } from '../../support/hooks.ts';
import { csv, importFile } from '../../support/imports.ts';
import { declare } from '../../support/metadata-fields.ts';
import { contacts, content, leads, make, read, type TestResource } from '../../support/resources.ts';

interface Type {
  type: string;
  options?: string[];
  /** As requests send it and answers show it. */
  value: string | number | boolean;
  other: string | number | boolean;
  /** What a German file says for it. */
  cell: string;
  wrong: unknown;
  wrongCell: string;
  message: string;
}

const types: Type[] = [
  {
    type: 'text',
    value: 'Blue, green',
    other: 'Red',
    cell: 'Blue, green',
    wrong: 7,
    wrongCell: 'x'.repeat(501),
    message: 'must be a text other than none.',
  },
  {
    type: 'number',
    value: -1234.5,
    other: 80,
    cell: '-1.234,5',
    wrong: '80',
    wrongCell: 'many',
    message: 'must be a number of at most 15 digits, such as 80 or 1.5.',
  },
  {
    type: 'boolean',
    value: true,
    other: false,
    cell: 'ja',
    wrong: 'true',
    wrongCell: 'perhaps',
    message: 'must be true or false.',
  },
  {
    type: 'date',
    value: '2027-02-01',
    other: '2026-12-24',
    cell: '01.02.2027',
    wrong: '2027-02-30',
    wrongCell: 'soon',
    message: 'must be a date such as 2026-11-20.',
  },
  {
    type: 'choice',
    options: ['gold', 'silver'],
    value: 'gold',
    other: 'silver',
    cell: 'Gold',
    wrong: 'Gold',
    wrongCell: 'bronze',
    message: 'must be one of gold, silver.',
  },
];

/** Not the name of a type, which a column of a file may be known by. */
const keyOf = (type: string) => `own_${type}`;

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client(['read', 'write', 'admin']);
  for (const resource of ['leads', 'contacts', 'content']) {
    for (const { type, options } of types) {
      await declare(app, client, { resource, key: keyOf(type), type, options, indexed: true });
    }
  }
});

afterAll(() => app.close());

async function leadOf(email: string): Promise<components['schemas']['Lead']> {
  const { body } = await client.get(`/leads?email=${encodeURIComponent(email)}`).expect(200);
  return body.data[0];
}

const leadWith = (metadata: object) => make(client, leads, { metadata });

describe.each(types)('a $type', ({ type: name, value, other, cell, wrong, wrongCell, message }) => {
  const type = keyOf(name);
  const metadata = { [type]: value };

  it.each([
    ['a lead', leads],
    ['a contact', contacts],
    ['content', content],
  ] as [string, TestResource][])('of %s is created, shown, listed and changed', async (_name, resource) => {
    const made = await make(client, resource, { metadata });
    expect(made.metadata).toEqual(metadata);
    expect((await read(client, resource, made.id)).metadata).toEqual(metadata);
    const changed = await client
      .patch(`${resource.path}/${made.id}`, { metadata: { [type]: other } })
      .expect(200);
    expect(changed.body.data.metadata).toEqual({ [type]: other });
    const listed = await client.get(`${resource.path}?per_page=1&sort=-updated_at`).expect(200);
    expect(listed.body.data[0].metadata).toEqual({ [type]: other });
    const cleared = await client
      .patch(`${resource.path}/${made.id}`, { metadata: { [type]: null } })
      .expect(200);
    expect(cleared.body.data.metadata).toEqual({});
  });

  it('that is wrong is a 422', async () => {
    const expected = { [`metadata.${type}`]: [`metadata.${type} ${message}`] };
    const input = { ...leads.input(), metadata: { [type]: wrong } };
    const created = await client.post('/leads', input).expect(422);
    expect(created.body.errors).toEqual(expected);
    const { id } = await leadWith({});
    const changed = await client.patch(`/leads/${id}`, { metadata: { [type]: wrong } }).expect(422);
    expect(changed.body.errors).toEqual(expected);
  });

  it('is upserted by external id, one by one and in batches', async () => {
    const external = `ext-${type}`;
    const upserted = await client.patch(`/leads/external/${external}`, { ...leads.input(), metadata });
    expect([upserted.status, upserted.body.data.metadata]).toEqual([201, metadata]);
    const items = [
      { external_id: external, metadata: { [type]: other } },
      { ...leads.input(), external_id: `${external}-2`, metadata },
    ];
    const { body } = await client.post('/leads/batch/upsert', { match: 'external_id', items }).expect(200);
    expect(body.data.map(({ lead }: { lead: { metadata: object } }) => lead.metadata)).toEqual([
      { [type]: other },
      metadata,
    ]);
    const wrongItems = [{ ...leads.input(), metadata: { [type]: wrong } }];
    const failed = await client.post('/leads/batch/create', { items: wrongItems }).expect(200);
    expect(Object.keys(failed.body.data[0].errors)).toEqual([`metadata.${type}`]);
  });

  it('is in events as in the answers', async () => {
    const { id } = await leadWith(metadata);
    await client.patch(`/leads/${id}`, { metadata: { [type]: other } }).expect(200);
    const { body } = await client.get(`/events?resource_id=${id}&event_types=lead.updated`).expect(200);
    const [{ data }] = body.data;
    expect([data.object.metadata, data.changes.metadata]).toEqual([
      { [type]: other },
      { from: metadata, to: { [type]: other } },
    ]);
  });

  it('comes from a file in a German spelling, and a wrong one is kept in the note', async () => {
    const [good, bad] = [uniqueEmail(), uniqueEmail()];
    const file = csv(`name;email;${type}`, `Ada;${good};"${cell}"`, `Bob;${bad};"${wrongCell}"`);
    const done = await importFile(app, client, file, 'start=true', { locale: 'de-DE' });
    expect([done.status, done.mapping[type], done.counts.created]).toEqual([
      'completed',
      `metadata.${type}`,
      2,
    ]);
    const found = await client.get(`/leads?email=${good}`).expect(200);
    expect(found.body.data[0].metadata).toEqual(metadata);
    const left = await client.get(`/leads?email=${bad}`).expect(200);
    expect(left.body.data[0].metadata).toEqual({});
    const notes = await client.get(`/notes?lead_id=${left.body.data[0].id}`).expect(200);
    expect(notes.body.data[0].text).toContain(wrongCell);
  });

  it('comes from a hook, and a wrong one is kept in the note', async () => {
    const hook = await makeHook(client, {
      locale: 'de-DE',
      mapping: { name: '/name', email: '/email', [`metadata.${type}`]: '/answer' },
    });
    const [good, bad] = [formInput(), formInput()];
    await sendIn(app, hook, { ...good, answer: cell });
    expect((await leadOf(good.email)).metadata).toEqual(metadata);
    await sendIn(app, hook, { ...bad, answer: wrongCell });
    const lead = await leadOf(bad.email);
    expect(lead.metadata).toEqual({});
    const notes = await client.get(`/notes?lead_id=${lead.id}`).expect(200);
    expect(notes.body.data[0].text).toContain(wrongCell);
  });

  it.each(['text/csv', 'application/x-ndjson'])(
    'survives an export as %s and an import of it',
    async (accept) => {
      const { id, email } = (await leadWith(metadata)) as { id: string; email: string };
      const exported = await client.get(`/leads/export?email=${email}`).set('Accept', accept).expect(200);
      const file = exported.text ?? exported.body.toString();
      expect(file).toContain(
        accept === 'text/csv' ? JSON.stringify(metadata).replaceAll('"', '""') : JSON.stringify(metadata),
      );
      await client.delete(`/leads/${id}`).expect(204);
      const done = await importFile(app, client, file, 'start=true');
      expect(done.counts.created).toBe(1);
      const again = await client.get(`/leads?email=${email}`).expect(200);
      expect(again.body.data[0].metadata).toEqual(metadata);
    },
  );

  it('is set by a bulk job, which refuses a wrong one', async () => {
    const { id } = await leadWith({});
    const job = { resource: 'leads', filter: { ids: [id] } };
    await doJob(app, client, { ...job, action: { update: { metadata } } });
    expect((await read(client, leads, id)).metadata).toEqual(metadata);
    const update = { metadata: { [type]: wrong } };
    const refused = await client.post('/bulk-jobs', { ...job, action: { update } }).expect(422);
    expect(Object.keys(refused.body.errors)).toEqual([`action.update.metadata.${type}`]);
  });

  it('stays when two leads are merged', async () => {
    const [one, two] = [await leadWith({}), await leadWith(metadata)];
    await client.post(`/leads/${one.id}/merge`, { lead_id: two.id }).expect(200);
    expect((await read(client, leads, one.id)).metadata).toEqual(metadata);
  });

  it('is found by its value, by several, and by none', async () => {
    const tag = `find-${type}`;
    const made: { id: string }[] = [];
    for (const own of [metadata, { [type]: other }, {}])
      made.push(await make(client, leads, { metadata: own, tags: [tag] }));
    const find = async (wanted: string) => {
      const { body } = await client
        .get(`/leads?tag=${tag}&metadata[${type}]=${encodeURIComponent(wanted)}`)
        .expect(200);
      return body.data.map(({ id }: { id: string }) => made.findIndex((each) => each.id === id)).toSorted();
    };
    expect(await find(String(value))).toEqual([0]);
    expect(await find('none')).toEqual([2]);
    if (name !== 'text') {
      expect(await find(`${value},${other}`)).toEqual([0, 1]);
      expect(await find(`none,${other}`)).toEqual([1, 2]);
    }
  });
});
