import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { eventsOf } from '../../support/events.ts';
import { createLead } from '../../support/factories.ts';

let app: TestApp;
let client: TestClient;
/** Id of the API client that `client` speaks for. */
let actor: string;

const statuses = ['new', 'contacted', 'qualified', 'won', 'lost'] as const;
const pairs = statuses.flatMap((from) =>
  statuses.filter((to) => to !== from).map((to) => [from, to] as const),
);

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
  actor = (await client.get('/auth/me').expect(200)).body.data.client_id;
});

afterAll(() => app.close());

const changesOf = async (id: string) =>
  (await eventsOf(client, id)).filter(({ type }) => type === 'lead.status_changed');

/** Times are in milliseconds, and the next change has another one. */
const nextMillisecond = () => sleep(2);

describe('PATCH /leads/{id} of the status', () => {
  it.each(pairs)(
    'goes from %s to %s and records from, to, when, who and in which request',
    async (from, to) => {
      const lead = await createLead(client, { status: from });
      await nextMillisecond();
      const requestId = `from-${from}-to-${to}`;
      const patcher = client.with({ 'X-Request-Id': requestId });
      const { body } = await patcher.patch(`/leads/${lead.id}`, { status: to }).expect(200);
      expect(body.data).toMatchObject({ status: to, version: 2 });
      expect(body.data.status_changed_at > lead.status_changed_at).toBe(true);
      expect(body.data.updated_at).toBe(body.data.status_changed_at);
      expect(await changesOf(lead.id)).toMatchObject([
        {
          request_id: requestId,
          actor: { type: 'client', id: actor },
          data: {
            object: { id: lead.id, status: to },
            changes: {
              status: { from, to },
              status_changed_at: { from: lead.status_changed_at, to: body.data.status_changed_at },
            },
          },
        },
      ]);
    },
  );

  it('dates the status by its own change only', async () => {
    const lead = await createLead(client);
    await nextMillisecond();
    const { body } = await client.patch(`/leads/${lead.id}`, { status: 'new', name: 'B' }).expect(200);
    expect(body.data.status_changed_at).toBe(lead.status_changed_at);
    expect(body.data.updated_at > lead.updated_at).toBe(true);
    expect(await changesOf(lead.id)).toEqual([]);
  });

  it('records the whole way, each step from where the last one led', async () => {
    const lead = await createLead(client);
    for (const status of ['contacted', 'won', 'won', 'new']) {
      await client.patch(`/leads/${lead.id}`, { status }).expect(200);
    }
    const steps = (await changesOf(lead.id)).map(({ data }) => data.changes);
    expect(steps).toMatchObject([
      { status: { from: 'new', to: 'contacted' } },
      { status: { from: 'contacted', to: 'won' } },
      { status: { from: 'won', to: 'new' } },
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
