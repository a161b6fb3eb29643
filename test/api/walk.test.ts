/** The platform as a new user would try it, from the first user to the refusals. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { TestClient } from '../support/client.ts';
import { expectRefusal } from '../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client(['read', 'write'], 'sandbox');
});

afterAll(() => app.close());

describe('a new user of the platform', () => {
  it('wins a lead and meets every refusal with its field named', async () => {
    const post = async (path: string, body?: object, status = 201) =>
      (await client.post(path, body).expect(status)).body.data;

    const user = await post('/users', { name: 'Grace Hopper', email: 'grace@example.com' });
    const gone = await post('/users', { name: 'Gone', email: 'gone@example.com', active: false });
    const piece = await post('/content', {
      title: 'Seven Ways to Count Leads',
      type: 'ebook',
      author_user_id: user.id,
    });
    expect(piece).toMatchObject({ slug: 'seven-ways-to-count-leads', status: 'draft' });
    const published = await post(`/content/${piece.id}/publish`, undefined, 200);
    expect(published).toMatchObject({ status: 'published', version: 2 });

    const lead = await post('/leads', {
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      company: 'Analytical Engines',
      assigned_user_id: user.id,
      content_id: piece.id,
    });
    for (const status of ['contacted', 'qualified']) {
      const { body } = await client.patch(`/leads/${lead.id}`, { status }).expect(200);
      expect(body.data.status).toBe(status);
    }
    const won = await post(`/leads/${lead.id}/convert`, { status: 'won' });
    expect(won.lead).toMatchObject({ status: 'won', version: 4, contact_id: won.contact.id });
    const contact = await client.get(`/contacts/${won.contact.id}`).expect(200);
    expect(contact.body.data).toMatchObject({ name: 'Ada Lovelace', email: 'ada@example.com' });
    for (const query of [`contact_id=${won.contact.id}`, `content_id=${piece.id}`, 'search=ada+eng']) {
      const { body } = await client.get(`/leads?${query}`).expect(200);
      expect(body).toMatchObject({ data: [won.lead], meta: { total: 1 } });
    }

    const taken = { field: 'email', code: 'duplicate_email' };
    const person = { name: 'X', email: 'ADA@example.com' };
    const twice = await expectRefusal(client.post('/contacts', person), taken);
    expect(twice.existing_id).toBe(won.contact.id);
    await expectRefusal(client.post('/leads', person), taken);
    await expectRefusal(client.post('/users', { name: 'X', email: 'GRACE@example.com' }), taken);
    const slug = { title: 'X', type: 'form', slug: piece.slug };
    await expectRefusal(client.post('/content', slug), { field: 'slug', code: 'duplicate_slug' });
    for (const path of ['/leads', '/contacts']) {
      const body = { name: 'X', email: 'x@example.com', assigned_user_id: gone.id };
      await expectRefusal(client.post(path, body), { field: 'assigned_user_id' });
    }
    const authored = { title: 'X', type: 'form', author_user_id: gone.id };
    await expectRefusal(client.post('/content', authored), { field: 'author_user_id' });
    const used = { field: 'id', code: 'content_in_use' };
    await expectRefusal(client.delete(`/content/${piece.id}`), used);
    await expectRefusal(client.delete(`/users/${user.id}`), { field: 'id', code: 'user_in_use' });
    const other = await post('/contacts', { name: 'Other' });
    const again = client.post(`/leads/${lead.id}/convert`, { contact_id: other.id });
    await expectRefusal(again, { field: 'contact_id', code: 'already_converted' });
    const lost = await post('/leads', { name: 'Bob', email: 'bob@example.com', status: 'lost' });
    await expectRefusal(client.post(`/leads/${lost.id}/convert`), { field: 'status', code: 'lead_lost' });
    const read = { status: 400, field: 'per_page', code: 'invalid_parameter' };
    await expectRefusal(client.get('/contacts?per_page=101'), read);

    await post(`/content/${piece.id}/archive`, undefined, 200);
    await client.delete(`/contacts/${won.contact.id}`).expect(204);
    const kept = await client.get(`/leads/${lead.id}`).expect(200);
    expect(kept.body.data).toMatchObject({ contact_id: null, status: 'won', version: 5 });
    const { deleted } = await post('/sandbox/reset', undefined, 200);
    expect(deleted).toEqual({ users: 2, contacts: 1, content: 1, leads: 2 });
    expect(await post('/sandbox/seed', { leads: 100 }, 202)).toMatchObject({
      kind: 'seed',
      action: { seed: { seed: 42, leads: 100 } },
    });
    await expectRefusal(client.post('/sandbox/seed', {}), { field: 'seed', code: 'already_seeded' });
  });
});
