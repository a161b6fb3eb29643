import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { eventsOf } from '../../support/events.ts';
import { createLead } from '../../support/factories.ts';
import { expectRefusal } from '../../support/resources.ts';
import { change, cyclesOf, euros } from '../../support/sales-cycles.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const withdraw = (id: string) => client.delete(`/sales-cycles/${id}`);
const changesOf = async (id: string) =>
  (await client.get(`/leads/${id}/status-changes`).expect(200)).body.data;

describe('DELETE /sales-cycles/{id}', () => {
  it('gives the lead back what its cycle before left, and nothing else is left', async () => {
    const lead = await createLead(client, { value: euros('10.00'), expected_close_on: '2027-01-31' });
    const won = await change(client, lead, { status: 'won' });
    const history = await changesOf(lead.id);
    const [first] = await cyclesOf(client, lead);
    const { sales_cycle } = await change(client, lead, { status: 'qualified' });
    await withdraw(sales_cycle.id).expect(204);
    const { body } = await client.get(`/leads/${lead.id}`).expect(200);
    const { version, updated_at } = body.data;
    expect(body.data).toEqual({ ...won, version, updated_at });
    expect(await cyclesOf(client, lead)).toEqual([first]);
    expect(await changesOf(lead.id)).toEqual(history);
    const event = (await eventsOf(client, lead.id)).at(-1);
    expect(event).toMatchObject({
      ...{ type: 'lead.sales_cycle_deleted', data: { object: { id: sales_cycle.id, lead_id: lead.id } } },
    });
    await withdraw(sales_cycle.id).expect(404);
  });

  it('withdraws a cycle that was closed at once', async () => {
    const won = await createLead(client, { status: 'won', value: euros('10.00') });
    const lost = await change(client, won, { status: 'lost', lost_reason: 'Oops' });
    await withdraw(lost.sales_cycle.id).expect(204);
    const { body } = await client.get(`/leads/${won.id}`).expect(200);
    expect(body.data).toMatchObject({
      ...{
        status: 'won',
        value: euros('10.00'),
        lost_reason: null,
        first_lost_at: null,
        sales_cycles_won: 1,
      },
      sales_cycle: won.sales_cycle,
    });
  });

  it('refuses the only cycle, an earlier one and another version', async () => {
    const lead = await createLead(client, { status: 'won' });
    await expectRefusal(withdraw(lead.sales_cycle.id), { field: 'id' });
    await change(client, lead, { status: 'new' });
    await expectRefusal(withdraw(lead.sales_cycle.id), { field: 'id' });
    const [, second] = await cyclesOf(client, lead);
    await withdraw(second?.id as string)
      .set('If-Match', '"9"')
      .expect(412);
  });
});
