/** GET /analytics/activity: notes by user and kind, by the time of what they are about. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getReport } from '../../support/analytics.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createUser } from '../../support/factories.ts';
import { contacts, leads, make } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;
let grace: string;
let ada: string;
let leadIds: string[];

const march = { from: '2026-03-01', to: '2026-03-31' };

async function write(fields: object, user?: string): Promise<void> {
  const as = user === undefined ? client : client.with({ 'Acting-User': user });
  await as.post('/notes', { text: 'x', ...fields }).expect(201);
}

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
  [grace = '', ada = ''] = [await createUser(client), await createUser(client)];
  await client.patch(`/users/${grace}`, { name: 'Grace Hopper' }).expect(200);
  leadIds = [(await make(client, leads)).id, (await make(client, leads)).id];
  const [lead_id, other] = leadIds;
  const { id: contact_id } = await make(client, contacts);
  const at = (occurred_at: string, fields: object = {}) => ({
    lead_id,
    kind: 'call',
    occurred_at,
    ...fields,
  });
  await write(at('2026-03-01T00:00:00Z', { direction: 'outbound', duration_seconds: 60 }), grace);
  await write(at('2026-03-15T10:00:00Z', { direction: 'inbound', duration_seconds: 120 }), grace);
  await write(at('2026-03-31T23:59:59.999Z', { lead_id: other }), grace);
  await write(at('2026-03-15T10:00:00Z', { kind: 'meeting', lead_id: undefined, contact_id }), grace);
  await write(at('2026-03-16T10:00:00Z'), ada);
  await write(at('2026-03-16T10:00:00Z', { kind: 'message' }));
  // Outside of March.
  await write(at('2026-02-28T23:59:59.999Z'), grace);
  await write(at('2026-04-01T00:00:00Z'), grace);
  await write({ lead_id }, ada);
});

afterAll(() => app.close());

const none = { inbound: 0, outbound: 0, leads: 1, contacts: 0, duration_seconds: 0 };
const calls = () => ({
  author_user_id: grace,
  author_user_name: 'Grace Hopper',
  kind: 'call',
  notes: 3,
  inbound: 1,
  outbound: 1,
  leads: 2,
  contacts: 0,
  duration_seconds: 180,
});

describe('GET /analytics/activity', () => {
  it('counts the notes of each user and kind in the period, the most first', async () => {
    const { data, meta } = await getReport(client, 'activity', march);
    expect(data[0]).toEqual(calls());
    expect(
      data
        .slice(1)
        .map(({ author_user_id, kind, notes }: Record<string, unknown>) => [author_user_id, kind, notes]),
    ).toEqual(
      [
        [ada, 'call', 1],
        [grace, 'meeting', 1],
        [null, 'message', 1],
      ].toSorted(byUser),
    );
    expect(data.find(({ kind }: { kind: string }) => kind === 'meeting')).toMatchObject({
      ...none,
      leads: 0,
      contacts: 1,
    });
    expect(data.at(-1)).toEqual({
      author_user_id: null,
      author_user_name: null,
      kind: 'message',
      notes: 1,
      ...none,
    });
    expect(meta).toMatchObject({ ...march, timezone: 'UTC', omitted: 0 });
  });

  it('has filters by kind and user, and days in a timezone', async () => {
    const kinds = async (query: Record<string, string>) => {
      const { data } = await getReport(client, 'activity', { ...march, ...query } as never);
      return data.map(({ kind, notes }: Record<string, unknown>) => `${kind} ${notes}`).sort();
    };
    expect(await kinds({ author_user_id: grace })).toEqual(['call 3', 'meeting 1']);
    expect(await kinds({ kind: 'meeting,message' })).toEqual(['meeting 1', 'message 1']);
    expect(await kinds({ author_user_id: grace, kind: 'call', timezone: 'Europe/Berlin' })).toEqual([
      'call 3',
    ]);
    const day = { from: '2026-03-01', to: '2026-03-01' };
    expect(await kinds({ ...day, timezone: 'Europe/Berlin' })).toEqual(['call 2']);
    expect(await kinds({ ...day, timezone: 'America/New_York' })).toEqual([]);
  });

  it('is a file, too', async () => {
    const { text, headers } = await client
      .with({ Accept: 'text/csv' })
      .get('/analytics/activity?from=2026-03-01&to=2026-03-31&kind=call')
      .expect(200);
    expect(headers['content-disposition']).toBe('attachment; filename="activity_2026-03-01_2026-03-31.csv"');
    expect(text.split('\r\n').slice(0, 2)).toEqual([
      'author_user_id,author_user_name,kind,notes,inbound,outbound,leads,contacts,duration_seconds',
      `${grace},Grace Hopper,call,3,1,1,2,0,180`,
    ]);
  });

  it('follows corrections and deletions', async () => {
    const { body } = await client.get('/notes?kind=message').expect(200);
    await client.delete(`/notes/${body.data[0].id}`).expect(204);
    await client.delete(`/leads/${leadIds[1]}`).expect(204);
    const { data } = await getReport(client, 'activity', march);
    expect(data.map(({ notes }: { notes: number }) => notes)).toEqual([2, 1, 1]);
  });
});

/** Rows with the same count are in the order of the users' ids. */
function byUser([one]: readonly unknown[], [other]: readonly unknown[]): number {
  if (one === null || other === null) return one === null ? 1 : -1;
  return String(one) < String(other) ? -1 : 1;
}
