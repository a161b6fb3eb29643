/** When a lead first entered a status or a later one, whoever wrote it. */
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUuid, toId } from '../../../src/values/id.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead, uniqueEmail } from '../../support/factories.ts';
import { listNames } from '../../support/lists.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const none = { first_contacted_at: null, first_qualified_at: null, first_won_at: null, first_lost_at: null };

async function firstTimes(id: string): Promise<Record<keyof typeof none, string | null>> {
  const { body } = await client.get(`/leads/${id}`).expect(200);
  const { first_contacted_at, first_qualified_at, first_won_at, first_lost_at } = body.data;
  return { first_contacted_at, first_qualified_at, first_won_at, first_lost_at };
}

describe('The first times of a lead', () => {
  it('stay when the lead goes back and comes again', async () => {
    const { id } = await createLead(client);
    const enter = async (status: string): Promise<string> =>
      (await client.patch(`/leads/${id}`, { status }).expect(200)).body.data.status_changed_at;
    expect(await firstTimes(id)).toEqual(none);
    const contacted = await enter('contacted');
    const lost = await enter('lost');
    await enter('new');
    const won = await enter('won');
    for (const status of ['contacted', 'qualified', 'lost', 'won']) await enter(status);
    expect(await firstTimes(id)).toEqual({
      first_contacted_at: contacted,
      first_qualified_at: won,
      first_won_at: won,
      first_lost_at: lost,
    });
  });

  it('are those of the creation for a lead that begins further on', async () => {
    const { id, created_at: at } = await createLead(client, { status: 'qualified' });
    expect(await firstTimes(id)).toEqual({ ...none, first_contacted_at: at, first_qualified_at: at });
    const lost = await createLead(client, { status: 'lost' });
    expect(await firstTimes(lost.id)).toEqual({ ...none, first_lost_at: lost.created_at });
  });

  it('appear in the event of the change', async () => {
    const { id } = await createLead(client);
    const { body } = await client.patch(`/leads/${id}`, { status: 'contacted' }).expect(200);
    const at = body.data.status_changed_at;
    expect(body.data.first_contacted_at).toBe(at);
    const events = (await client.get(`/leads/${id}/events`).expect(200)).body.data;
    const told = { first_contacted_at: { from: null, to: at } };
    expect(events[0].data).toMatchObject({ object: { first_contacted_at: at }, changes: told });
    expect(events.at(-1).data.object).toMatchObject(none);
  });

  it('are right after a COPY and after an UPDATE of your own', async () => {
    const [won, lost, told] = [newUuid(), newUuid(), newUuid()];
    const copier = new pg.Client({ connectionString: app.databases[0]?.url });
    await copier.connect();
    const columns = 'id, name, email, status, source, status_changed_at, contacted_at';
    const stream = copier.query(copyFrom(`copy leads (${columns}) from stdin`));
    const at = '2026-02-03T04:05:06.000Z';
    const before = '2026-02-01T00:00:00.000Z';
    stream.write(`${won}\tWon\t${uniqueEmail()}\twon\tapi\t${at}\t\\N\n`);
    stream.write(`${lost}\tLost\t${uniqueEmail()}\tlost\tapi\t${at}\t\\N\n`);
    stream.write(`${told}\tTold\t${uniqueEmail()}\twon\tapi\t${at}\t${before}\n`);
    stream.end();
    await new Promise((resolve, reject) => stream.on('finish', resolve).on('error', reject));
    await copier.end();
    const all = { ...none, first_contacted_at: at, first_qualified_at: at, first_won_at: at };
    expect(await firstTimes(toId('lead', won))).toEqual(all);
    expect(await firstTimes(toId('lead', lost))).toEqual({ ...none, first_lost_at: at });
    expect(await firstTimes(toId('lead', told))).toEqual({ ...all, first_contacted_at: before });
    expect(await listNames(client, { reached: 'new', sort: 'name', source: 'api', search: 'lost' })).toEqual(
      [],
    );
    const begin = new Date().toISOString();
    await app.production.knex('leads').where({ id: lost }).update({ status: 'contacted' });
    const { body } = await client.get(`/leads/${toId('lead', lost)}`).expect(200);
    expect(body.data.status_changed_at >= begin).toBe(true);
    expect(body.data.first_contacted_at).toBe(body.data.status_changed_at);
    expect(body.data.first_lost_at).toBe(at);
    expect(await listNames(client, { reached: 'new', search: 'lost' })).toEqual(['Lost']);
  });
});
