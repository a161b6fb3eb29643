/** Merges that meet each other, and other requests. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findDrift } from '../../../src/leads/counter-queries.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead, uniqueEmail } from '../../support/factories.ts';
import { contacts, leads, make, type TestResource } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const merge = (stays: { id: string }, other: { id: string }) =>
  client.post(`/leads/${stays.id}/merge`, { lead_id: other.id });
const rounds = Array.from({ length: 8 }, (_, round) => round);

describe.each([
  ['leads', leads as TestResource<{ id: string }>],
  ['contacts', contacts as TestResource<{ id: string }>],
])('two merges of %s in opposite directions', (_, { path, prefix, ...resource }) => {
  it('end with one that stayed, and the other request is told which', async () => {
    for (const _round of rounds) {
      const [one, two] = [
        await make(client, { path, prefix, ...resource }, { external_id: randomUUID() }),
        await make(client, { path, prefix, ...resource }),
      ];
      const merging = (stays: string, other: string) =>
        client.post(`${path}/${stays}/merge`, { [`${prefix}_id`]: other });
      const answers = await Promise.all([merging(one.id, two.id), merging(two.id, one.id)]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 410]);
      const survivor = answers.find(({ status }) => status === 200)?.body.data.id;
      expect(answers.find(({ status }) => status === 410)?.body.merged_into).toBe(survivor);
      await client.get(`${path}/${survivor}`).expect(200);
    }
  });
});

describe('many merges at once', () => {
  it('of a ring end with one lead, and never with a cycle', async () => {
    const ring = await Promise.all(Array.from({ length: 6 }, () => createLead(client)));
    const pairs = ring.map((lead, index) => [lead, ring[(index + 1) % ring.length]] as const);
    const answers = await Promise.all(pairs.map(([stays, other]) => merge(stays, other as { id: string })));
    for (const { status } of answers) expect([200, 410, 422]).toContain(status);
    const read = await Promise.all(ring.map(({ id }) => client.get(`/leads/${id}`)));
    const alive = read.filter(({ status }) => status === 200).map(({ body }) => body.data.id);
    expect(alive.length).toBeGreaterThan(0);
    for (const { status, body } of read) {
      if (status === 410) expect(alive).toContain(body.merged_into);
      else expect(status).toBe(200);
    }
  });

  it('the same one are one merge', async () => {
    const [stays, other] = [await createLead(client), await createLead(client, { name: 'Other' })];
    const answers = await Promise.all(Array.from({ length: 6 }, () => merge(stays, other)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
    expect(new Set(answers.map(({ body }) => body.data.version))).toEqual(
      new Set([answers[0]?.body.data.version]),
    );
    const { body } = await client.get(`/notes?lead_id=${stays.id}`).expect(200);
    expect(body.data).toHaveLength(1);
  });
});

describe('a merge, and at the same time', () => {
  /** Merges the second lead into the first while the other requests run. */
  async function meet(...requests: ((other: { id: string }) => ReturnType<TestClient['get']>)[]) {
    const [stays, other] = [await createLead(client), await createLead(client)];
    const [merged, ...answers] = await Promise.all([
      merge(stays, other),
      ...requests.map((request) => request(other)),
    ]);
    return { stays, other, merged, answers };
  }

  it('a note about the other one: the note is never lost', async () => {
    for (const _round of rounds) {
      const { stays, merged, answers } = await meet((other) =>
        client.post('/notes', { lead_id: other.id, text: 'Called back.' }),
      );
      expect(merged.status).toBe(200);
      expect([201, 410]).toContain(answers[0]?.status);
      const { body } = await client.get(`/notes?lead_id=${stays.id}`).expect(200);
      const texts = body.data.map(({ text }: { text: string }) => text);
      expect(texts.includes('Called back.')).toBe(answers[0]?.status === 201);
    }
  });

  it('a change of the other one: it is either taken over or refused', async () => {
    for (const _round of rounds) {
      const { stays, merged, answers } = await meet((other) =>
        client.patch(`/leads/${other.id}`, { phone: '+4915112345678' }),
      );
      expect(merged.status).toBe(200);
      expect([200, 410]).toContain(answers[0]?.status);
      const { body } = await client.get(`/leads/${stays.id}`).expect(200);
      expect(body.data.phone).toBe(answers[0]?.status === 200 ? '+4915112345678' : null);
    }
  });

  it('a deletion of the other one: one of the two comes first', async () => {
    for (const _round of rounds) {
      const { merged, answers } = await meet((other) => client.delete(`/leads/${other.id}`));
      expect([
        [200, 410],
        [422, 204],
      ]).toContainEqual([merged.status, answers[0]?.status]);
    }
  });

  it('a conversion of the other one: the contact is linked to the one that stays', async () => {
    for (const _round of rounds) {
      const { stays, merged, answers } = await meet((other) => client.post(`/leads/${other.id}/convert`, {}));
      expect(merged.status).toBe(200);
      expect([201, 410]).toContain(answers[0]?.status);
      const { body } = await client.get(`/leads/${stays.id}`).expect(200);
      expect(body.data.contact_id).toBe(answers[0]?.status === 201 ? answers[0].body.data.contact.id : null);
    }
  });

  it('a batch that changes both, and deletions of what they refer to: nothing fails', async () => {
    for (const _round of rounds) {
      const { id: content_id } = (await client.post('/content', { title: randomUUID(), type: 'ebook' })).body
        .data;
      const contact = await make(client, contacts);
      const other = await createLead(client, { content_id });
      await client.post(`/leads/${other.id}/convert`, { contact_id: contact.id }).expect(201);
      const stays = await createLead(client);
      const items = [other, stays].map(({ id }) => ({ id, patch: { company: 'New' } }));
      const answers = await Promise.all([
        merge(stays, other),
        client.post('/leads/batch/update', { items }),
        client.delete(`/contacts/${contact.id}`),
        client.delete(`/content/${content_id}`),
        client.post('/leads/batch/upsert', {
          match: 'email',
          items: [stays.email, other.email, uniqueEmail()].map((email) => ({ email, name: 'Ada' })),
        }),
      ]);
      const [merged, batch, contactGone, contentGone, upsert] = answers.map(({ status }) => status);
      expect([merged, batch, contactGone, upsert]).toEqual([200, 200, 204, 200]);
      expect(contentGone).toBe(409);
      const { body } = await client.get(`/leads/${stays.id}`).expect(200);
      expect(body.data).toMatchObject({ contact_id: null, content_id });
    }
  });

  it('leaves exact counters', async () => {
    expect(await app.production.db.transaction((trx) => findDrift(trx, 10))).toEqual([]);
    const { rows } = await app.production.knex.raw(
      'select count(*)::int as total from lead_status_changes where lead_id not in (select id from leads)',
    );
    expect(rows[0].total).toBe(0);
  });
});
