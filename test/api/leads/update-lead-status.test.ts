import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toUuid } from '../../../src/db/id.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';
import { createLead } from '../../support/factories.ts';

let app: TestApp;
let client: TestClient;
/** uuid of the API client that `client` speaks for. */
let actor: string;

const statuses = ['new', 'contacted', 'qualified', 'won', 'lost'] as const;
const pairs = statuses.flatMap((from) =>
  statuses.filter((to) => to !== from).map((to) => [from, to] as const),
);

beforeAll(async () => {
  app = await startTestApp();
  const { client_id, client_secret } = await app.credentials();
  const anonymous = new TestClient(`${app.url}/v1`);
  const input = { grant_type: 'client_credentials', client_id, client_secret };
  const { body } = await anonymous.post('/auth/token', input).expect(200);
  client = anonymous.with({ Authorization: `Bearer ${body.access_token}` });
  actor = toUuid('client', client_id) ?? '';
});

afterAll(() => app.close());

const changesOf = (id: string) =>
  app.production
    .db('lead_status_changes')
    .where('lead_id', toUuid('lead', id) ?? '')
    .orderBy('changed_at');

/** Sets the lead's times back, so that a new one differs from them by more than a millisecond. */
const age = (id: string) =>
  app.production
    .db('leads')
    .where('id', toUuid('lead', id) ?? '')
    .update({ status_changed_at: new Date('2026-01-01'), updated_at: new Date('2026-01-01') });

describe('PATCH /leads/{id} of the status', () => {
  it.each(pairs)(
    'goes from %s to %s and records from, to, when, who and in which request',
    async (from, to) => {
      const lead = await createLead(client, { status: from });
      await age(lead.id);
      const requestId = `from-${from}-to-${to}`;
      const patcher = client.with({ 'X-Request-Id': requestId });
      const { body } = await patcher.patch(`/leads/${lead.id}`, { status: to }).expect(200);
      expect(body.data).toMatchObject({ status: to, version: 2 });
      expect(Date.parse(body.data.status_changed_at)).toBeGreaterThan(Date.parse('2026-01-01'));
      expect(body.data.updated_at).toBe(body.data.status_changed_at);
      expect((await changesOf(lead.id)).at(-1)).toEqual({
        lead_id: toUuid('lead', lead.id),
        from_status: from,
        to_status: to,
        changed_at: new Date(body.data.status_changed_at),
        actor_id: actor,
        request_id: requestId,
        seconds: Math.floor(
          (Date.parse(body.data.status_changed_at) - Date.parse(lead.status_changed_at)) / 1000,
        ),
      });
    },
  );

  it('dates the status by its own change only', async () => {
    const lead = await createLead(client);
    await age(lead.id);
    const { body } = await client.patch(`/leads/${lead.id}`, { status: 'new', name: 'B' }).expect(200);
    expect(body.data.status_changed_at).toBe('2026-01-01T00:00:00.000Z');
    expect(body.data.updated_at > '2026-01-02').toBe(true);
    expect(await changesOf(lead.id)).toHaveLength(1);
  });

  it('records the whole way, each step from where the last one led', async () => {
    const lead = await createLead(client);
    for (const status of ['contacted', 'won', 'won', 'new']) {
      await client.patch(`/leads/${lead.id}`, { status }).expect(200);
    }
    const steps = (await changesOf(lead.id)).map(({ from_status, to_status }) => [from_status, to_status]);
    expect(steps).toEqual([
      [null, 'new'],
      ['new', 'contacted'],
      ['contacted', 'won'],
      ['won', 'new'],
    ]);
  });
});

describe('lost_reason', () => {
  it('comes with the status lost, or later, and can be changed there', async () => {
    const lead = await createLead(client);
    const patch = async (body: object) =>
      (await client.patch(`/leads/${lead.id}`, body).expect(200)).body.data;
    expect(await patch({ status: 'lost' })).toMatchObject({ status: 'lost', lost_reason: null });
    expect(await patch({ lost_reason: 'Price' })).toMatchObject({ lost_reason: 'Price' });
    expect(await patch({ name: 'B' })).toMatchObject({ lost_reason: 'Price' });
    expect(await patch({ status: 'lost', lost_reason: 'No budget' })).toMatchObject({
      lost_reason: 'No budget',
    });
    expect(await patch({ lost_reason: null })).toMatchObject({ status: 'lost', lost_reason: null });
  });

  it.each(statuses.filter((status) => status !== 'lost'))(
    'is cleared when the lead becomes %s',
    async (status) => {
      const lead = await createLead(client, { status: 'lost', lost_reason: 'Price' });
      const { body } = await client.patch(`/leads/${lead.id}`, { status }).expect(200);
      expect(body.data).toMatchObject({ status, lost_reason: null, version: 2 });
      const back = await client.patch(`/leads/${lead.id}`, { status: 'lost' }).expect(200);
      expect(back.body.data.lost_reason).toBeNull();
    },
  );

  it('is refused with any other status', async () => {
    const lead = await createLead(client);
    const lost = await createLead(client, { status: 'lost', lost_reason: 'Price' });
    for (const [id, patch] of [
      [lead.id, { lost_reason: 'Price' }],
      [lead.id, { status: 'won', lost_reason: 'Price' }],
      [lost.id, { status: 'won', lost_reason: 'Price' }],
    ] as const) {
      const { body } = await client.patch(`/leads/${id}`, patch).expect(422);
      expect(Object.keys(body.errors)).toEqual(['lost_reason']);
    }
    await client.patch(`/leads/${lead.id}`, { lost_reason: null }).expect(200).expect('ETag', '"1"');
  });
});
