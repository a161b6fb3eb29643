import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { eventsOf, typesOf } from '../../support/events.ts';
import { createLead } from '../../support/factories.ts';
import { content, expectRefusal, make, users } from '../../support/resources.ts';
import { cyclesOf, euros } from '../../support/sales-cycles.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const reopen = (id: string, body?: object) => client.post(`/leads/${id}/reopen`, body);

describe('POST /leads/{id}/reopen', () => {
  it('begins the next sales cycle, as new and without the value that was won', async () => {
    const lead = await createLead(client, {
      status: 'won',
      value: euros('10.00'),
      expected_close_on: '2027-01-31',
    });
    const { body } = await reopen(lead.id).expect(200).expect('ETag', '"2"');
    expect(body.data).toMatchObject({
      ...{ status: 'new', value: null, expected_close_on: null, sales_cycles_won: 1 },
      sales_cycle: { number: 2, opened_at: body.data.status_changed_at },
    });
    expect(body.data.first_won_at).toBe(lead.first_won_at);
    const event = (await eventsOf(client, lead.id)).at(-1);
    expect(event).toMatchObject({
      type: 'lead.reopened',
      data: {
        changes: {
          status: { from: 'won', to: 'new' },
          value: { from: euros('10.00'), to: null },
          sales_cycle: { from: lead.sales_cycle, to: body.data.sales_cycle },
        },
      },
    });
  });

  it('begins it with what the request gives', async () => {
    const { id: content_id } = await make(client, content);
    const given = {
      ...{ status: 'qualified', value: euros('5.00'), source: 'referral', source_detail: 'Fair' },
      ...{ content_id, assigned_user_id: (await make(client, users)).id },
    };
    const lead = await createLead(client, { status: 'lost', lost_reason: 'Price' });
    const { body } = await reopen(lead.id, given).expect(200);
    expect(body.data).toMatchObject({ ...given, lost_reason: null });
    expect((await cyclesOf(client, lead))[1]).toMatchObject({ ...given, number: 2 });
  });

  it('refuses an open lead, a closed status, an unknown user and another version', async () => {
    const open = await createLead(client, { status: 'contacted' });
    await expectRefusal(reopen(open.id), { field: 'status', code: 'lead_open' });
    const lost = await createLead(client, { status: 'lost' });
    await expectRefusal(reopen(lost.id, { status: 'won' }), { field: 'status' });
    await expectRefusal(reopen(lost.id, { assigned_user_id: 'user_01m7w4n5e0eymtkc82hvhg0xb9' }), {
      field: 'assigned_user_id',
    });
    await reopen(lost.id).set('If-Match', '"9"').expect(412);
    await reopen('lead_01m7w4n5e0e3tajy9kep34bze2').expect(404);
  });

  it('reopens once if ten requests ask at once', async () => {
    const lead = await createLead(client, { status: 'lost' });
    const answers = await Promise.all(Array.from({ length: 10 }, () => reopen(lead.id)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)]);
    expect(await cyclesOf(client, lead)).toHaveLength(2);
    const reopened = typesOf(await eventsOf(client, lead.id)).filter((type) => type === 'lead.reopened');
    expect(reopened).toHaveLength(1);
  });
});
