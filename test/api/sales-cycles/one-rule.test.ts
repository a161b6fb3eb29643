/** One rule at every door: a change away from won or lost begins the next cycle, and a closed one keeps what it was. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { doJob } from '../../support/bulk-jobs.ts';
import type { TestClient } from '../../support/client.ts';
import { eventsOf, typesOf } from '../../support/events.ts';
import { createLead } from '../../support/factories.ts';
import { content, make, users } from '../../support/resources.ts';
import { change, cyclesOf, euros } from '../../support/sales-cycles.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

describe('the sales cycles of a lead', () => {
  it('begin with its creation, and follow it while it is open', async () => {
    const lead = await createLead(client, { source: 'website', tags: ['vip'] });
    const [first] = await cyclesOf(client, lead);
    expect(lead.sales_cycle).toEqual({ id: first?.id, number: 1, opened_at: lead.created_at });
    expect(lead.sales_cycles_won).toBe(0);
    expect(first).toMatchObject({
      ...{
        lead_id: lead.id,
        number: 1,
        status: 'new',
        furthest_status: 'new',
        source: 'website',
        tags: ['vip'],
      },
      ...{ opened_at: lead.created_at, closed_at: null, value: null, version: 1 },
    });
    const user = await make(client, users);
    const { id: content_id } = await make(client, content);
    const patch = {
      ...{
        status: 'qualified',
        assigned_user_id: user.id,
        content_id,
        company: 'Engines',
        value: euros('10.00'),
      },
      ...{ source: 'referral', source_detail: 'Fair', tags: ['new'], expected_close_on: '2027-01-31' },
    };
    await change(client, lead, patch);
    await change(client, lead, { status: 'contacted' });
    const [followed, ...others] = await cyclesOf(client, lead);
    expect(followed).toMatchObject({ ...patch, status: 'contacted', furthest_status: 'qualified' });
    expect(others).toEqual([]);
    await change(client, lead, { name: 'Ada' });
    expect((await cyclesOf(client, lead))[0]?.version).toBe(followed?.version);
  });

  it('have one that opens and closes at once if the lead arrives as won or lost', async () => {
    const lost = await createLead(client, { status: 'lost', lost_reason: 'Too late' });
    expect(await cyclesOf(client, lost)).toMatchObject([
      {
        ...{ status: 'lost', furthest_status: null, lost_reason: 'Too late' },
        ...{ opened_at: lost.created_at, closed_at: lost.created_at },
      },
    ]);
    const won = await createLead(client, { status: 'won' });
    expect(won.sales_cycles_won).toBe(1);
    expect(await cyclesOf(client, won)).toMatchObject([{ status: 'won', furthest_status: 'won' }]);
  });

  it('keep what the lead was when it was closed', async () => {
    const user = await make(client, users);
    const lead = await createLead(client, {
      ...{ source: 'website', source_detail: 'Ads', company: 'Engines', tags: ['vip'] },
      ...{ assigned_user_id: user.id, value: euros('10000.00'), expected_close_on: '2027-01-31' },
    });
    const won = await change(client, lead, { status: 'won' });
    const [closed] = await cyclesOf(client, lead);
    expect(closed).toMatchObject({
      status: 'won',
      closed_at: won.status_changed_at,
      value: euros('10000.00'),
    });
    const other = await make(client, users);
    const later = {
      source: 'referral',
      source_detail: null,
      company: 'Else',
      tags: [],
      assigned_user_id: other.id,
    };
    await change(client, lead, later);
    await change(client, lead, { status: 'contacted' });
    await change(client, lead, { status: 'lost', lost_reason: 'No budget' });
    const [first, second] = await cyclesOf(client, lead);
    expect(first).toEqual(closed);
    expect(second).toMatchObject({
      number: 2,
      status: 'lost',
      furthest_status: 'contacted',
      ...later,
      value: null,
    });
  });

  it('clear the value after a won one unless the change gives it, and keep it after a lost one', async () => {
    const deal = { value: euros('10.00'), expected_close_on: '2027-01-31' };
    const won = await createLead(client, { status: 'won', ...deal });
    expect(await change(client, won, { status: 'new' })).toMatchObject({
      ...{ value: null, expected_close_on: null, sales_cycles_won: 1, sales_cycle: { number: 2 } },
    });
    const again = await createLead(client, { status: 'won', ...deal });
    const patch = { status: 'new', value: euros('20.00') };
    expect(await change(client, again, patch)).toMatchObject({
      value: euros('20.00'),
      expected_close_on: null,
    });
    const lost = await createLead(client, { status: 'lost', ...deal });
    expect(await change(client, lost, { status: 'new' })).toMatchObject(deal);
  });

  it('begin and close the next one at once if a won lead becomes lost', async () => {
    const lead = await createLead(client, { status: 'won', value: euros('10.00') });
    const lost = await change(client, lead, { status: 'lost' });
    expect(lost).toMatchObject({ sales_cycles_won: 1, sales_cycle: { number: 2 }, value: null });
    const [, second] = await cyclesOf(client, lead);
    expect(second).toMatchObject({ status: 'lost', furthest_status: null, opened_at: second?.closed_at });
    expect(typesOf(await eventsOf(client, lead.id))).not.toContain('lead.reopened');
  });

  it('are the same whichever operation changes the status', async () => {
    const leads = await Promise.all([1, 2, 3, 4].map(() => createLead(client, { status: 'won' })));
    const [patched, batched, upserted, filtered] = leads as [Lead, Lead, Lead, Lead];
    const tag = `door-${filtered.id}`;
    await change(client, filtered, { tags: [tag] });
    await change(client, patched, { status: 'contacted' });
    const items = [{ id: batched.id, patch: { status: 'contacted' } }];
    await client.post('/leads/batch/update', { items }).expect(200);
    const upserts = [{ email: upserted.email, status: 'contacted' }];
    await client.post('/leads/batch/upsert', { match: 'email', items: upserts }).expect(200);
    await doJob(app, client, {
      resource: 'leads',
      filter: { tag: [tag] },
      action: { update: { status: 'contacted' } },
    });
    for (const lead of leads) {
      const cycles = await cyclesOf(client, lead);
      expect(cycles.map(({ number, status }) => [number, status])).toEqual([
        [1, 'won'],
        [2, 'contacted'],
      ]);
      expect(typesOf(await eventsOf(client, lead.id))).toContain('lead.reopened');
      const { body } = await client.get(`/leads/${lead.id}/status-changes`).expect(200);
      expect(body.data.map((each: { sales_cycle_id: string }) => each.sales_cycle_id)).toEqual([
        cycles[1]?.id,
        cycles[0]?.id,
      ]);
    }
  });

  it('begin the next one with a conversion that gives a won lead another status', async () => {
    const lead = await createLead(client, { status: 'won', value: euros('10.00') });
    const { body } = await client.post(`/leads/${lead.id}/convert`, { status: 'qualified' }).expect(201);
    expect(body.data.lead).toMatchObject({ status: 'qualified', value: null, sales_cycle: { number: 2 } });
  });

  it('have their value and lost reason corrected with those of the closed lead', async () => {
    const lead = await createLead(client, { status: 'won', value: euros('10.00') });
    const [before] = await cyclesOf(client, lead);
    await change(client, lead, { value: euros('12.00'), tags: ['later'] });
    const [after] = await cyclesOf(client, lead);
    expect(after).toMatchObject({
      ...before,
      value: euros('12.00'),
      version: 2,
      updated_at: after?.updated_at,
    });
    await client
      .post('/leads/batch/update', { items: [{ id: lead.id, patch: { value: euros('13.00') } }] })
      .expect(200);
    const corrections = (await eventsOf(client, lead.id)).filter(
      ({ type }) => type === 'lead.sales_cycle_corrected',
    );
    expect(corrections.map(({ data }) => data.changes)).toEqual([
      { value: { from: euros('10.00'), to: euros('12.00') } },
      { value: { from: euros('12.00'), to: euros('13.00') } },
    ]);
    expect(corrections.at(-1)?.data.object).toMatchObject({ id: before?.id, lead_id: lead.id });
  });

  it('are deleted with their lead', async () => {
    const lead = await createLead(client, { status: 'won' });
    const [cycle] = await cyclesOf(client, lead);
    await client.delete(`/leads/${lead.id}`).expect(204);
    await client.get(`/sales-cycles/${cycle?.id}`).expect(404);
  });
});

type Lead = Awaited<ReturnType<typeof createLead>>;
