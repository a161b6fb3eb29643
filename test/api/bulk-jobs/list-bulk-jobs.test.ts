import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { createJob } from '../../support/bulk-jobs.ts';
import type { TestClient } from '../../support/client.ts';
import { createUser } from '../../support/factories.ts';
import { runJobs } from '../../support/jobs.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const deletion = (resource: string) => ({
  resource,
  filter: { tag: [randomUUID()] },
  action: { delete: true },
});

async function idsOf(query: string, as = client): Promise<string[]> {
  const { body } = await as.get(`/bulk-jobs?${query}`).expect(200);
  return body.data.map(({ id }: { id: string }) => id);
}

describe('GET /bulk-jobs', () => {
  it('lists jobs, the newest first, by status, kind and resource', async () => {
    const done = await createJob(client, deletion('leads'));
    await runJobs(app.production);
    const leads = await createJob(client, deletion('leads'));
    const contacts = await createJob(client, deletion('contacts'));
    const user = await createUser(client);
    const { body } = await client.post(`/users/${user}/reassign`, { to: null }).expect(202);
    const reassignment = body.data.id;
    expect(await idsOf('')).toEqual([reassignment, contacts.id, leads.id, done.id]);
    expect(await idsOf('sort=created_at&per_page=2')).toEqual([done.id, leads.id]);
    expect(await idsOf('status=completed')).toEqual([done.id]);
    expect(await idsOf('status=queued,running&kind=delete')).toEqual([contacts.id, leads.id]);
    expect(await idsOf('resource=contacts')).toEqual([reassignment, contacts.id]);
    expect(await idsOf('resource=users')).toEqual([]);
    expect(await idsOf('created_to=2020-01-01')).toEqual([]);
    const first = await client.get('/bulk-jobs?per_page=3').expect(200);
    expect(first.body.meta).toMatchObject({ total: 4, last_page: 2 });
    const next = await client.get(`/bulk-jobs?per_page=3&cursor=${first.body.meta.next_cursor}`).expect(200);
    expect(next.body.data).toMatchObject([{ id: done.id }]);
  });

  it('shows the jobs whose resources the client may all read', async () => {
    const contacts = await createJob(client, deletion('contacts'));
    const leads = await createJob(client, deletion('leads'));
    const reader = await app.client(['leads:read', 'content:read']);
    const seen = await idsOf('', reader);
    expect(seen).toContain(leads.id);
    expect(seen).not.toContain(contacts.id);
    const { body } = await reader.get('/bulk-jobs').expect(200);
    for (const { resources } of body.data) expect(resources).toEqual(['leads']);
    await (await app.client(['analytics:read'])).get('/bulk-jobs').expect(403);
  });
});
