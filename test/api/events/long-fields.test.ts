/** An event contains no long text twice: changes of long texts are recorded as digests. */
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { readDocument } from '../../support/document.ts';
import { eventsOf } from '../../support/events.ts';
import { contacts, content, leads, make, type TestResource, users } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;
let userIds: string[];
let contentIds: string[];
let contactIds: string[];

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
  userIds = [(await make(client, users)).id, (await make(client, users)).id];
  contactIds = [(await make(client, contacts)).id, (await make(client, contacts)).id];
  contentIds = [(await make(client, content)).id, (await make(client, content)).id];
});

afterAll(() => app.close());

const texts = (count: number, length: number, letter: string) =>
  Array.from({ length: count }, (_, n) => String(n).padStart(length, letter));
const turn = <Value>(letter: string, [a, b]: readonly Value[]) => (letter === 'a' ? a : b);

/** Two different values of maximum size for each field. */
const largest: Record<string, (letter: string) => unknown> = {
  name: (letter) => letter.repeat(200),
  title: (letter) => letter.repeat(300),
  email: (letter) => `${randomUUID()}@${letter.repeat(60)}.example.com`,
  other_emails: (letter) =>
    Array.from({ length: 10 }, () => `${randomUUID()}@${`${letter.repeat(60)}.`.repeat(3)}example`),
  phone: (letter) => `+${turn(letter, ['1', '2'])}${'0'.repeat(14)}`,
  company: (letter) => `${letter}${'\u0001'.repeat(199)}`,
  external_id: (letter) => randomUUID().padEnd(128, letter),
  lost_reason: (letter) => letter.repeat(500),
  value: (letter) => ({ amount: `${turn(letter, ['8', '9'])}${'9'.repeat(14)}.9999`, currency: 'CLF' }),
  next_step: (letter) => letter.repeat(200),
  next_step_at: (letter) => turn(letter, ['2099-01-01T00:00:00.000Z', '2099-01-02T00:00:00.000Z']),
  expected_close_on: (letter) => turn(letter, ['9999-12-30', '9999-12-31']),
  tags: (letter) => texts(20, 50, letter),
  metadata: (letter) => Object.fromEntries(texts(30, 40, 'k').map((key) => [key, letter.repeat(450)])),
  status: (letter) => turn(letter, ['lost', 'lost']),
  source: (letter) => turn(letter, ['website', 'referral']),
  source_detail: (letter) => letter.repeat(100),
  assigned_user_id: (letter) => turn(letter, userIds),
  author_user_id: (letter) => turn(letter, userIds),
  contact_id: (letter) => turn(letter, contactIds),
  content_id: (letter) => turn(letter, contentIds),
  slug: (letter) => randomUUID().padEnd(200, letter),
  type: (letter) => turn(letter, ['ebook', 'video']),
  summary: (letter) => (letter === 'a' ? '🎉' : '✂').repeat(1_000),
  body: (letter) => letter.repeat(200_000),
  url: (letter) => `https://example.com/`.padEnd(2_048, letter),
  language: (letter) => `en${`-${letter.repeat(8)}`.repeat(3)}`,
  active: (letter) => letter === 'a',
};

const kinds = { Lead: leads, Contact: contacts, Content: content, User: users };
const schemas = readDocument().components.schemas;
const isLong = (value: unknown) =>
  [...(typeof value === 'string' ? value : JSON.stringify(value))].length > 1_000;

describe.each(Object.entries(kinds))('an event of a %s with the largest values', (name, resource) => {
  const fields = Object.keys(schemas[`Create${name}`]?.properties ?? {});
  const values = (letter: string) =>
    Object.fromEntries(fields.map((field) => [field, largest[field]?.(letter)]));

  it('records changes, but no text of more than 1,000 characters twice', async () => {
    const { path } = resource as TestResource;
    expect(fields.filter((field) => largest[field] === undefined)).toEqual([]);
    const created = await client.post(path, values('a')).expect(201);
    const { id } = created.body.data;
    await client.patch(`${path}/${id}`, values('b')).expect(200);
    await client
      .patch(`${path}/${id}`, { ...values('b'), ...(name !== 'User' && { tags: null }) })
      .expect(200);
    const events = await eventsOf(client, id);
    const told = Object.keys(events[1]?.data.changes ?? {}).map((field) => field.replace('_sha256', ''));
    expect(told).toEqual(expect.arrayContaining(fields.filter((field) => field !== 'status')));
    for (const { data } of events) {
      for (const [field, { from, to }] of Object.entries(data.changes as Record<string, Change>)) {
        const isKept = field === 'other_emails';
        expect([field, isLong(from), isLong(to)]).toEqual([field, isKept, isKept]);
      }
    }
    expect(Math.max(...events.map((event) => JSON.stringify(event).length))).toBeLessThan(64 * 1024);
  });
});

interface Change {
  from: unknown;
  to: unknown;
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex');

describe('a digest in an event', () => {
  const changesOf = async (id: string) => (await eventsOf(client, id)).at(-1)?.data.changes;

  it('is that of the text, where one of the two is long', async () => {
    const long = 'https://example.com/'.padEnd(1_001, 'x');
    const short = 'https://example.com/'.padEnd(1_000, 'y');
    const { id } = await make(client, content, { url: short });
    await client.patch(`/content/${id}`, { url: long }).expect(200);
    expect(await changesOf(id)).toEqual({ url_sha256: { from: digest(short), to: digest(long) } });
    await client.patch(`/content/${id}`, { url: null }).expect(200);
    expect(await changesOf(id)).toEqual({ url_sha256: { from: digest(long), to: null } });
    await client.patch(`/content/${id}`, { url: short }).expect(200);
    expect(await changesOf(id)).toEqual({ url: { from: null, to: short } });
  });

  it('of metadata is that of its JSON in the order of RFC 8785', async () => {
    const { id } = await make(client, leads, { metadata: { plan: 'gold' } });
    const [long, more] = ['x'.repeat(490), 'y'.repeat(490)];
    await client.patch(`/leads/${id}`, { metadata: { b: long, a: 'é"', 9: more, 10: long } }).expect(200);
    const after = `{"10":"${long}","9":"${more}","a":"é\\"","b":"${long}","plan":"gold"}`;
    expect(await changesOf(id)).toEqual({
      metadata_sha256: { from: digest('{"plan":"gold"}'), to: digest(after) },
    });
  });
});
