import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { readJob } from '../../support/bulk-jobs.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead, createUser, uniqueEmail } from '../../support/factories.ts';
import { runJobs } from '../../support/jobs.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

/** A user with two leads, a contact and a piece of content. */
async function makeOwner() {
  const from = await createUser(client);
  const leads = [
    await createLead(client, { assigned_user_id: from }),
    await createLead(client, { assigned_user_id: from }),
  ];
  const contact = { name: 'Ada', email: uniqueEmail(), assigned_user_id: from };
  const { body } = await client.post('/contacts', contact).expect(201);
  const made = await client.post('/content', { title: 'On work', type: 'article', author_user_id: from });
  expect(made.status).toBe(201);
  return { from, leads: leads.map(({ id }) => id), contact: body.data.id, content: made.body.data.id };
}

async function reassign(from: string, to: string | null, others = {}) {
  const { body, headers } = await client.post(`/users/${from}/reassign`, { to, ...others }).expect(202);
  expect(headers.location).toMatch(new RegExp(`/bulk-jobs/${body.data.id}$`));
  await runJobs(app.production);
  return readJob(client, body.data.id);
}

const ownersOf = async (paths: string[]) => {
  const answers = await Promise.all(paths.map((path) => client.get(path).expect(200)));
  return answers.map(({ body }) => body.data.assigned_user_id ?? body.data.author_user_id ?? null);
};

describe('POST /users/{id}/reassign', () => {
  it('gives the leads, contacts and content of a user who has left to another one, with events', async () => {
    const { from, leads, contact, content } = await makeOwner();
    const to = await createUser(client);
    await client.patch(`/users/${from}`, { active: false }).expect(200);
    const other = await createLead(client, { assigned_user_id: to });
    expect(await reassign(from, to)).toMatchObject({
      kind: 'reassign',
      status: 'completed',
      resources: ['leads', 'contacts', 'content'],
      filter: null,
      action: { reassign: { from, to, include_closed: false } },
      rows_total: 4,
      rows_done: 4,
      counts: { updated: 4, failed: 0 },
      progress: [
        { resource: 'leads', rows_total: 2, rows_done: 2, counts: { updated: 2 } },
        { resource: 'contacts', rows_total: 1, rows_done: 1, counts: { updated: 1 } },
        { resource: 'content', rows_total: 1, rows_done: 1, counts: { updated: 1 } },
      ],
    });
    const paths = [...leads.map((id) => `/leads/${id}`), `/contacts/${contact}`, `/content/${content}`];
    expect(await ownersOf(paths)).toEqual([to, to, to, to]);
    const { body } = await client.get(`/leads/${leads[0]}/events`).expect(200);
    expect(body.data.map(({ type }: { type: string }) => type)).toContain('lead.assigned');
    const history = await client.get(`/content/${content}/events?event_types=content.updated`).expect(200);
    expect(history.body.meta.total).toBe(1);
    expect((await client.get(`/leads/${other.id}`).expect(200)).body.data.version).toBe(1);
    await client.delete(`/users/${from}`).expect(204);
  });

  it('leaves closed leads, and the revenue of the past, to the user who closed them', async () => {
    const { from, leads } = await makeOwner();
    const to = await createUser(client);
    const closed = [
      await createLead(client, {
        assigned_user_id: from,
        status: 'won',
        value: { amount: '10', currency: 'EUR' },
      }),
      await createLead(client, { assigned_user_id: from, status: 'lost' }),
    ].map(({ id }) => id);
    const ids = [...leads, ...closed].map((id) => `/leads/${id}`);
    const { body } = await client.post(`/users/${from}/reassign`, { to }).expect(202);
    expect(body.data.progress).toMatchObject([{ resource: 'leads', rows_total: 2 }, {}, {}]);
    // Won before its turn.
    await client.patch(`/leads/${leads[0]}`, { status: 'won' }).expect(200);
    await runJobs(app.production);
    expect(await ownersOf(ids)).toEqual([from, to, from, from]);
    expect(await readJob(client, body.data.id)).toMatchObject({ counts: { updated: 3, unchanged: 1 } });
    const revenueOf = async (user: string) => {
      const { body } = await client.get('/analytics/breakdown?group_by=assigned_user').expect(200);
      return body.data.find(({ group }: { group: string }) => group === user)?.won ?? 0;
    };
    expect(await revenueOf(from)).toBe(2);
    await reassign(from, to, { include_closed: true });
    expect(await ownersOf(ids)).toEqual([to, to, to, to]);
    // Past sales stay with whoever made them.
    expect([await revenueOf(from), await revenueOf(to)]).toEqual([2, 0]);
  });

  it('clears the user with null', async () => {
    const { from, leads } = await makeOwner();
    expect(await reassign(from, null)).toMatchObject({ counts: { updated: 4 } });
    expect(await ownersOf(leads.map((id) => `/leads/${id}`))).toEqual([null, null]);
  });

  it('leaves what somebody else has reassigned meanwhile', async () => {
    const { from, leads } = await makeOwner();
    const [to, somebody] = [await createUser(client), await createUser(client)];
    const { body } = await client.post(`/users/${from}/reassign`, { to }).expect(202);
    await client.patch(`/leads/${leads[0]}`, { assigned_user_id: somebody }).expect(200);
    await client.delete(`/leads/${leads[1]}`).expect(204);
    await runJobs(app.production);
    expect(await readJob(client, body.data.id)).toMatchObject({
      counts: { updated: 2, unchanged: 1, missing: 1 },
    });
    expect(await ownersOf([`/leads/${leads[0]}`])).toEqual([somebody]);
  });

  it('fails row by row if the new user is deactivated meanwhile', async () => {
    const { from } = await makeOwner();
    const to = await createUser(client);
    const { body } = await client.post(`/users/${from}/reassign`, { to }).expect(202);
    await client.patch(`/users/${to}`, { active: false }).expect(200);
    await runJobs(app.production);
    expect(await readJob(client, body.data.id)).toMatchObject({
      status: 'completed',
      counts: { updated: 0, failed: 4 },
    });
    const errors = await client.get(`/bulk-jobs/${body.data.id}/errors`).expect(200);
    expect(errors.body.data.map(({ resource, field }: Record<string, string>) => [resource, field])).toEqual([
      ['leads', 'assigned_user_id'],
      ['leads', 'assigned_user_id'],
      ['contacts', 'assigned_user_id'],
      ['content', 'author_user_id'],
    ]);
  });

  it('changes nothing in a dry run', async () => {
    const { from, leads } = await makeOwner();
    expect(await reassign(from, null, { dry_run: true })).toMatchObject({ counts: { updated: 4 } });
    expect(await ownersOf(leads.map((id) => `/leads/${id}`))).toEqual([from, from]);
  });

  it('rejects the same user, an inactive one, an unknown one, and none', async () => {
    const from = await createUser(client);
    const inactive = await createUser(client, { active: false });
    for (const to of [from, inactive, 'user_01m7w4n5e0eymtkc82hvhg0xb9', 'x', undefined]) {
      const { body } = await client.post(`/users/${from}/reassign`, { to }).expect(422);
      expect(Object.keys(body.errors)).toEqual(['to']);
    }
    await client.post('/users/user_01m7w4n5e0eymtkc82hvhg0xb9/reassign', { to: from }).expect(404);
  });

  it('needs the scopes of all that it changes', async () => {
    const from = await createUser(client);
    const limited = await app.client(['leads:read', 'leads:write', 'contacts:read', 'contacts:write']);
    const { body } = await limited.post(`/users/${from}/reassign`, { to: null }).expect(403);
    expect(body.required_scope).toMatch(/^content:/);
  });
});
