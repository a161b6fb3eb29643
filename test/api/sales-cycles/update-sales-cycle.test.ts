import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { eventsOf, typesOf } from '../../support/events.ts';
import { createLead } from '../../support/factories.ts';
import { content, expectRefusal, make, users } from '../../support/resources.ts';
import { change, cyclesOf, euros } from '../../support/sales-cycles.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const correct = (id: string, patch: object) => client.patch(`/sales-cycles/${id}`, patch);
const readLead = async (id: string) => (await client.get(`/leads/${id}`).expect(200)).body.data;
const changesOf = async (id: string) =>
  (await client.get(`/leads/${id}/status-changes`).expect(200)).body.data;

/** A lead that was won and is open again. */
async function customer() {
  const lead = await createLead(client, { value: euros('10.00') });
  await change(client, lead, { status: 'won' });
  await change(client, lead, { status: 'contacted' });
  const [first, second] = await cyclesOf(client, lead);
  if (first === undefined || second === undefined) throw new Error('The lead has no two cycles.');
  return { lead, first, second };
}

describe('PATCH /sales-cycles/{id}', () => {
  it('corrects what an earlier cycle kept, and leaves the lead as it is', async () => {
    const { lead, first } = await customer();
    const before = await readLead(lead.id);
    const user = await make(client, users);
    await client.patch(`/users/${user.id}`, { active: false }).expect(200);
    const { id: content_id } = await make(client, content);
    const patch = {
      ...{
        value: { amount: '12.00' },
        source: 'referral',
        source_detail: 'Fair',
        company: 'Engines',
        tags: ['a', 'a'],
      },
      ...{ assigned_user_id: user.id, content_id, external_id: `deal-${first.id}` },
    };
    const { body } = await correct(first.id, patch)
      .expect(200)
      .expect('ETag', `"${first.version + 1}"`);
    expect(body.data).toMatchObject({ ...patch, value: euros('12.00'), tags: ['a'], status: 'won' });
    expect(await readLead(lead.id)).toEqual(before);
    const event = (await eventsOf(client, lead.id)).at(-1);
    expect(event).toMatchObject({
      type: 'lead.sales_cycle_corrected',
      data: { object: body.data, changes: { value: { from: euros('10.00'), to: euros('12.00') } } },
    });
    const { length } = await eventsOf(client, lead.id);
    const repeated = await correct(first.id, patch).expect(200);
    expect(repeated.body).toEqual(body);
    expect(await eventsOf(client, lead.id)).toHaveLength(length);
  });

  it('makes an earlier cycle lost, and its history says the same', async () => {
    const { lead, first } = await customer();
    const { body } = await correct(first.id, { status: 'lost', lost_reason: 'Cancelled' }).expect(200);
    expect(body.data).toMatchObject({
      ...{ status: 'lost', furthest_status: 'new', lost_reason: 'Cancelled', closed_at: first.closed_at },
    });
    expect(await readLead(lead.id)).toMatchObject({
      ...{ status: 'contacted', sales_cycles_won: 0, first_won_at: null, first_lost_at: first.closed_at },
    });
    const moves = (await changesOf(lead.id)).map(({ from, to }: { from: string; to: string }) => [from, to]);
    expect(moves).toEqual([
      ['lost', 'contacted'],
      ['new', 'lost'],
      [null, 'new'],
    ]);
  });

  it('corrects the last cycle and the closed lead together', async () => {
    const lead = await createLead(client, { status: 'lost', lost_reason: 'Price', value: euros('10.00') });
    const { id } = lead.sales_cycle;
    await correct(id, { status: 'won', value: euros('20.00') }).expect(200);
    const after = await readLead(lead.id);
    expect(after).toMatchObject({
      ...{
        status: 'won',
        value: euros('20.00'),
        lost_reason: null,
        sales_cycles_won: 1,
        sales_cycle: lead.sales_cycle,
      },
      ...{ status_changed_at: lead.status_changed_at, first_won_at: lead.created_at, first_lost_at: null },
    });
    expect(await cyclesOf(client, lead)).toHaveLength(1);
    expect(typesOf(await eventsOf(client, lead.id))).toEqual([
      ...['lead.created', 'lead.updated', 'lead.status_changed', 'lead.sales_cycle_corrected'],
    ]);
  });

  it('withdraws that the last cycle was closed: nothing is left of it', async () => {
    const lead = await createLead(client, { value: euros('10.00'), expected_close_on: '2027-01-31' });
    const qualified = await change(client, lead, { status: 'qualified' });
    await change(client, lead, { status: 'won' });
    const { body } = await correct(lead.sales_cycle.id, { status: 'qualified' }).expect(200);
    expect(body.data).toMatchObject({ status: 'qualified', furthest_status: 'qualified', closed_at: null });
    const { version, updated_at, ...fields } = await readLead(lead.id);
    expect({ ...fields, version: 2, updated_at: qualified.updated_at }).toEqual(qualified);
    expect((await changesOf(lead.id)).map(({ to }: { to: string }) => to)).toEqual(['qualified', 'new']);
    expect(version).toBe(4);
    expect(updated_at > qualified.updated_at).toBe(true);
  });

  it('withdraws the close of a lead that arrived closed, or to another status', async () => {
    const arrived = await createLead(client, { status: 'won' });
    await correct(arrived.sales_cycle.id, { status: 'qualified' }).expect(200);
    expect(await readLead(arrived.id)).toMatchObject({
      ...{
        status: 'qualified',
        first_won_at: null,
        first_qualified_at: arrived.created_at,
        sales_cycles_won: 0,
      },
    });
    expect((await changesOf(arrived.id)).map(({ to }: { to: string }) => to)).toEqual(['qualified']);
    const lead = await createLead(client);
    await change(client, lead, { status: 'lost', lost_reason: 'Price' });
    await correct(lead.sales_cycle.id, { status: 'contacted' }).expect(200);
    expect(await readLead(lead.id)).toMatchObject({
      status: 'contacted',
      first_lost_at: null,
      lost_reason: null,
    });
    expect((await changesOf(lead.id)).map(({ to }: { to: string }) => to)).toEqual(['contacted', 'new']);
  });

  it('refuses what makes no sense', async () => {
    const { first, second } = await customer();
    await expectRefusal(correct(second.id, { value: euros('1.00') }), {
      field: 'value',
      code: 'sales_cycle_open',
    });
    await correct(second.id, { external_id: `deal-${second.id}` }).expect(200);
    await expectRefusal(correct(first.id, { external_id: `deal-${second.id}` }), {
      ...{ field: 'external_id', code: 'duplicate_external_id' },
    });
    await expectRefusal(correct(first.id, { status: 'new' }), { field: 'status' });
    await expectRefusal(correct(first.id, { lost_reason: 'Price' }), { field: 'lost_reason' });
    const user = 'user_01m7w4n5e0eymtkc82hvhg0xb9';
    await expectRefusal(correct(first.id, { assigned_user_id: user }), { field: 'assigned_user_id' });
    const unknown = 'content_01m7w4n5e0fj29y8hnfp12qb0m';
    await expectRefusal(correct(first.id, { content_id: unknown }), { field: 'content_id' });
    const lost = await createLead(client, { status: 'lost' });
    await expectRefusal(correct(lost.sales_cycle.id, { status: 'new', source: 'api' }), { field: 'source' });
    await correct(first.id, { source: 'api' }).set('If-Match', '"9"').expect(412);
  });
});
