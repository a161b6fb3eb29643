/** Reports count merged leads as one, whether or not they have to look up each lead. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead } from '../../support/factories.ts';
import { uuidOf } from '../../support/webhooks.ts';

let app: TestApp;
let client: TestClient;

const long = new Date(Date.now() - 20 * 86_400_000).toISOString();
const today = new Date().toISOString().slice(0, 10);

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
  const stays = await createLead(client, { tags: ['all'], status: 'contacted' });
  const { knex } = app.production;
  const id = uuidOf(stays.id);
  await knex('lead_status_changes').where({ lead_id: id }).update({ changed_at: long });
  const times = { created_at: long, status_changed_at: long, new_at: long, contacted_at: long };
  await knex('leads').where({ id }).update(times);
  const other = await createLead(client, { tags: ['all'], status: 'contacted' });
  for (const status of ['qualified', 'won']) await client.patch(`/leads/${other.id}`, { status }).expect(200);
  await client.post(`/leads/${stays.id}/merge`, { lead_id: other.id }).expect(200);
});

afterAll(() => app.close());

async function read(path: string, query: string) {
  const { body } = await client.get(`/analytics/${path}?from=${today}&to=${today}${query}`).expect(200);
  return body.data.map(({ leads_url: _, value: _value, ...row }: Record<string, unknown>) => row);
}

describe('a lead that took over later status changes of another', () => {
  it.each(['', '&tag=all', '&assigned_user_id=none'])('counts in the time series: %s', async (query) => {
    const [day] = await read('timeseries', `&interval=day${query}`);
    expect(day).toMatchObject({
      created: 0,
      contacted: 0,
      qualified: 1,
      won: 1,
      lost: 0,
    });
  });

  it.each(['', '&tag=all', '&assigned_user_id=none'])(
    'counts in the times of statuses: %s',
    async (query) => {
      const rows: { status: string; entered: number; exited: number; open_current: number }[] = await read(
        'time-in-status',
        query,
      );
      expect(
        rows.map(({ status, entered, exited, open_current: now }) => [status, entered, exited, now]),
      ).toEqual([
        ['new', 0, 0, 0],
        ['contacted', 1, 1, 1],
        ['qualified', 1, 1, 0],
        ['won', 1, 0, 0],
        ['lost', 0, 0, 0],
      ]);
    },
  );

  it('is found by every status that it reached', async () => {
    const { body } = await client.get(`/leads?reached=won&reached_from=${today}`).expect(200);
    expect(body.meta.total).toBe(1);
  });
});
