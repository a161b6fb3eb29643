import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { watchQueries } from '../../support/queries.ts';
import { expectRefusal } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

describe('PATCH /leads/external/{external_id}', () => {
  const upsert = (externalId: string, body: object) =>
    client.patch(`/leads/external/${encodeURIComponent(externalId)}`, body);
  const typesOf = async (id: string): Promise<string[]> => {
    const { body } = await client.get(`/events?resource_id=${id}`).expect(200);
    return body.data.map(({ type }: { type: string }) => type);
  };

  it('creates a lead for a new id, as a POST does', async () => {
    const externalId = randomUUID();
    const fields = {
      name: 'Ada Lovelace',
      email: uniqueEmail(),
      tags: ['vip', 'vip'],
      metadata: { plan: 'gold', no: null },
    };
    const { headers, body } = await upsert(externalId, { ...fields, phone: null, company: null }).expect(201);
    expect(headers.location).toBe(`${app.production.baseUrl}/leads/${body.data.id}`);
    expect(headers.etag).toBe('"1"');
    const shown = {
      ...fields,
      external_id: externalId,
      tags: ['vip'],
      metadata: { plan: 'gold' },
      phone: null,
      version: 1,
    };
    expect(body.data).toMatchObject(shown);
    expect((await client.get(`/leads/${body.data.id}`).expect(200)).body).toEqual(body);
    expect(await typesOf(body.data.id)).toEqual(['lead.created']);
  });

  it('changes the lead with an existing id, as a PATCH does', async () => {
    const externalId = randomUUID();
    const email = uniqueEmail();
    const fields = { name: 'Ada', email, company: 'Engines', metadata: { plan: 'gold', seats: '5' } };
    const { id } = (await upsert(externalId, fields).expect(201)).body.data;
    const { headers, body } = await upsert(externalId, {
      company: null,
      metadata: { plan: null, city: 'London' },
    }).expect(200);
    expect(headers.etag).toBe('"2"');
    const shown = {
      id,
      name: 'Ada',
      email,
      company: null,
      metadata: { seats: '5', city: 'London' },
      version: 2,
    };
    expect(body.data).toMatchObject(shown);
    expect(await typesOf(id)).toEqual(['lead.created', 'lead.updated']);
  });

  it('changes nothing when it is repeated', async () => {
    const externalId = randomUUID();
    const fields = { name: 'Ada', email: uniqueEmail() };
    const first = await upsert(externalId, fields).expect(201);
    const second = await upsert(externalId, fields).expect(200);
    expect(second.body).toEqual(first.body);
    expect(await typesOf(first.body.data.id)).toEqual(['lead.created']);
  });

  it.each(['ä'.repeat(92), 'a/b', 'ä ö', '%', 'convert', '..', 'lead_01h455vb4pex5vsknk084sn02q'])(
    'takes any id of another system: %j',
    async (part) => {
      const externalId = `${part}${part === '..' ? '' : randomUUID()}`;
      const { body } = await upsert(externalId, { name: 'Ada', email: uniqueEmail() }).expect(201);
      expect(body.data.external_id).toBe(externalId);
    },
  );

  it('needs the same fields as a POST to create', async () => {
    const { body } = await upsert(randomUUID(), {}).expect(422);
    expect(Object.keys(body.errors).sort()).toEqual(['email', 'name']);
  });

  it("rejects another lead's email", async () => {
    const email = uniqueEmail();
    const { id } = (await upsert(randomUUID(), { name: 'Ada', email }).expect(201)).body.data;
    const { body } = await upsert(randomUUID(), { name: 'Bob', email }).expect(422);
    expect(body).toMatchObject({ code: 'duplicate_email', existing_id: id });
  });

  it('honours If-Match, and creates nothing with it', async () => {
    const externalId = randomUUID();
    const fields = { name: 'Ada', email: uniqueEmail() };
    await upsert(externalId, fields).set('If-Match', '*').expect(412);
    await upsert(externalId, fields).expect(201);
    await upsert(externalId, { name: 'Bob' }).set('If-Match', '"2"').expect(412);
    await upsert(externalId, { name: 'Bob' }).set('If-Match', '"1"').expect(200);
  });

  it('has no external_id in its body', () =>
    expectRefusal(upsert(randomUUID(), { name: 'Ada', external_id: 'x' }), {
      status: 422,
      field: 'external_id',
      code: 'validation_failed',
    }));

  it.each([
    ['too long', 'x'.repeat(129), 'must have at most 128 characters'],
    ['empty to the eye', ' ', 'must contain a visible character'],
    ['NUL', 'a\0b', 'must not contain control characters'],
    ['NUL at its end', 'a\0', 'must not contain control characters'],
    ['a line feed', 'a\nb', 'must not contain control characters'],
    ['DEL', 'a\u007fb', 'must not contain control characters'],
    ['a control character of Latin-1', 'a\u0085b', 'must not contain control characters'],
  ])('rejects an id that is or has %s, with the reason', async (_, externalId, message) => {
    const { body } = await upsert(externalId, { name: 'Ada', email: uniqueEmail() }).expect(422);
    expect(body).toMatchObject({
      code: 'validation_failed',
      errors: { external_id: [`external_id ${message}.`] },
    });
  });

  it('names the faults of the id and of the body', async () => {
    const { body } = await upsert('x'.repeat(129), { name: 1 }).expect(422);
    expect(Object.keys(body.errors).toSorted()).toEqual(['external_id', 'name']);
  });

  it('takes an id with spaces, and with characters that mean something in a URL', async () => {
    const externalId = `crm #1/2?a=b&c %41 ${randomUUID()} 😀`;
    const { body } = await upsert(externalId, { name: 'Ada', email: uniqueEmail() }).expect(201);
    expect(body.data.external_id).toBe(externalId);
    await upsert('x'.repeat(128), { name: 'Ada', email: uniqueEmail() }).expect(201);
  });

  it('takes a merge patch by its own media type', async () => {
    const send = (body: object) =>
      client.patch('/leads/external/merge-patch', body).type('application/merge-patch+json');
    await send({ name: 'Ada', email: uniqueEmail(), phone: null }).expect(201);
    expect((await send({ name: 'Grace' }).expect(200)).body.data.name).toBe('Grace');
  });

  it('finds nothing at an empty id', async () => {
    await upsert('', { name: 'Ada', email: uniqueEmail() }).expect(404);
  });

  it('is a 503 if others keep creating and deleting the lead', async () => {
    const [externalId, email] = [randomUUID(), uniqueEmail()];
    const queries = watchQueries(app);
    const fields = { name: 'Ada', email };
    const disturb = (rounds: number) =>
      queries.before('insert into "leads"', async () => {
        const { body } = await client.post('/leads', { ...fields, external_id: externalId }).expect(201);
        queries.before('for no key update', async () => {
          await client.delete(`/leads/${body.data.id}`).expect(204);
          if (rounds > 1) disturb(rounds - 1);
        });
      });
    disturb(3);
    const { body, headers } = await upsert(externalId, fields).expect(503);
    expect([body.code, headers['retry-after']]).toEqual(['unavailable', '2']);
    await upsert(externalId, fields).expect(201);
  });

  it("is rejected after one attempt for another lead's email", async () => {
    const other = await upsert(`CRM ${randomUUID()}`, { name: 'Ada', email: uniqueEmail() }).expect(201);
    const { email, external_id } = other.body.data;
    const queries = watchQueries(app);
    for (const externalId of [randomUUID(), external_id.toLowerCase()]) {
      queries.sent.splice(0);
      const { body } = await upsert(externalId, { name: 'Ada', email }).expect(422);
      expect(body).toMatchObject({ code: 'duplicate_email', existing_id: other.body.data.id });
      const insertions = queries.sent.filter((text) => text.includes('insert into "leads"'));
      expect(insertions).toHaveLength(1);
    }
  });

  it('creates once, then changes, for many concurrent requests', async () => {
    const externalId = randomUUID();
    const email = uniqueEmail();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => upsert(externalId, { name: `Ada ${at}`, email })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(7).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    expect(new Set(answers.map(({ body }) => body.data.version)).size).toBe(8);
  });
});
