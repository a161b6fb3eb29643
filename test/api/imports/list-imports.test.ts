import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { csv, type Import, send } from '../../support/imports.ts';
import { runJobs } from '../../support/jobs.ts';

let app: TestApp;
let client: TestClient;
let made: Import[];

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
  const file = csv('name,email', 'Ada,ada@example.com');
  made = [
    await send(client, file),
    await send(client, file, 'resource=contacts&start=false'),
    await send(client, file, 'start=false'),
  ];
  await runJobs(app.production);
});

afterAll(() => app.close());

const names = (ids: string[]) => ids.map((id) => 'ABC'[made.findIndex((one) => one.id === id)]).join('');
const idsOf = (data: Import[]) => data.map(({ id }) => id);

describe('GET /imports', () => {
  it('lists imports as GET /imports/{id} returns them, newest first', async () => {
    const { body } = await client.get('/imports').expect(200);
    expect(names(idsOf(body.data))).toBe('CBA');
    expect(body.meta).toMatchObject({ total: 3, next_cursor: null });
    const { body: one } = await client.get(`/imports/${body.data[2].id}`).expect(200);
    expect(body.data[2]).toEqual(one.data);
  });

  it.each([
    ['status=draft', 'CB'],
    ['status=completed,draft', 'CBA'],
    ['resource=leads', 'CA'],
    ['resource=contacts&status=draft', 'B'],
    ['sort=created_at', 'ABC'],
    ['created_from=2100-01-01', ''],
    ['created_to=2100-01-01', 'CBA'],
  ])('filters and sorts by ?%s', async (query, expected) => {
    const { body } = await client.get(`/imports?${query}`).expect(200);
    expect(names(idsOf(body.data))).toBe(expected);
  });

  it('can be read page by page with a cursor', async () => {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const next: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await client.get(`/imports?per_page=1${next}`).expect(200);
      seen.push(...idsOf(body.data));
      cursor = body.meta.next_cursor;
    }
    expect(names(seen)).toBe('CBA');
  });

  it.each([
    [['leads:read'], 'CA'],
    [['contacts:read'], 'B'],
    [['read'], 'CBA'],
  ])('shows the imports that the scopes %j may read', async (scopes, expected) => {
    const { body } = await (await app.client(scopes)).get('/imports').expect(200);
    expect(names(idsOf(body.data))).toBe(expected);
    expect(body.meta.total).toBe(expected.length);
  });

  it('answers 403 to clients that may read neither leads nor contacts', async () => {
    const { body } = await (await app.client(['events:read'])).get('/imports').expect(403);
    expect(body).toMatchObject({ code: 'insufficient_scope', required_scope: 'leads:read' });
  });
});
