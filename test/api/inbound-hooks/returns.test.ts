/** `on_return`: a won or lost lead that writes again is reopened, or only gets a note. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { eventsOf, typesOf } from '../../support/events.ts';
import { createLead } from '../../support/factories.ts';
import { leadsOf, makeHook, readDelivery, send, sendIn } from '../../support/hooks.ts';
import { content, expectRefusal, make, users } from '../../support/resources.ts';
import { change, cyclesOf, euros } from '../../support/sales-cycles.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const enquiry = (email: string, fields: object = {}) => ({
  name: 'Ada',
  email,
  message: 'Again, please.',
  ...fields,
});
const readLead = async (email: string) => (await leadsOf(client, email))[0];

describe('a lead that writes again', () => {
  it('stays won or lost by default, and gets a note', async () => {
    const { email } = await createLead(client, { status: 'lost' });
    await sendIn(app, await makeHook(client), enquiry(email));
    expect(await readLead(email)).toMatchObject({ status: 'lost', sales_cycle: { number: 1 } });
  });

  it('is reopened by a hook that says so, with what the enquiry and the hook say', async () => {
    const owner = await make(client, users);
    const { id: content_id } = await make(client, content);
    const hook = await makeHook(client, {
      ...{ on_return: 'reopen', lead_source: 'referral', assigned_user_id: owner.id, content_id },
      mapping: { name: '/name', email: '/email', note: '/message', source_detail: '/campaign' },
    });
    const earlier = {
      assigned_user_id: (await make(client, users)).id,
      source_detail: 'Fair',
      value: euros('10.00'),
    };
    const lead = await createLead(client, { status: 'won', source: 'website', ...earlier });
    await sendIn(app, hook, enquiry(lead.email, { campaign: 'Spring' }));
    expect(await readLead(lead.email)).toMatchObject({
      ...{ status: 'new', source: 'referral', source_detail: 'Spring', value: null, content_id },
      ...{ assigned_user_id: owner.id, sales_cycle: { number: 2 }, sales_cycles_won: 1 },
    });
    expect((await cyclesOf(client, lead))[0]).toMatchObject({ status: 'won', source: 'website', ...earlier });
    const types = typesOf(await eventsOf(client, lead.id));
    expect(types).toEqual(expect.arrayContaining(['lead.reopened', 'lead.returned', 'note.created']));
  });

  it('keeps its owner and content if the hook has none, and only gets a note while it is open', async () => {
    const hook = await makeHook(client, { on_return: 'reopen' });
    const owner = await make(client, users);
    const lead = await createLead(client, {
      status: 'lost',
      source_detail: 'Fair',
      assigned_user_id: owner.id,
    });
    await sendIn(app, hook, enquiry(lead.email));
    expect(await readLead(lead.email)).toMatchObject({
      ...{ status: 'new', source: 'website', source_detail: null, assigned_user_id: owner.id },
    });
    await sendIn(app, hook, enquiry(lead.email, { message: 'Hello?' }));
    expect(await cyclesOf(client, lead)).toHaveLength(2);
  });

  it('is reopened once by ten enquiries at once', async () => {
    const hook = await makeHook(client, { on_return: 'reopen' });
    const lead = await createLead(client, { status: 'lost' });
    const messages = Array.from({ length: 10 }, (_, n) => enquiry(lead.email, { message: `Again, ${n}.` }));
    await Promise.all(messages.map((payload) => send(app, hook, payload).expect(202)));
    expect(await cyclesOf(client, lead)).toHaveLength(2);
    const reopened = typesOf(await eventsOf(client, lead.id)).filter((type) => type === 'lead.reopened');
    expect(reopened).toHaveLength(1);
  });

  it('is not reopened by a delivery that is processed again', async () => {
    const hook = await makeHook(client, { on_return: 'reopen' });
    const lead = await createLead(client, { status: 'lost' });
    const { delivery_id } = await sendIn(app, hook, enquiry(lead.email));
    await change(client, lead, { status: 'lost' });
    await client.post(`${hook.path}/deliveries/${delivery_id}/reprocess`).expect(200);
    expect(await readDelivery(client, hook, delivery_id)).toMatchObject({ status: 'merged' });
    expect(await readLead(lead.email)).toMatchObject({ status: 'lost', sales_cycle: { number: 2 } });
  });

  it('is only reopened by a hook that merges', async () => {
    const fields = { name: 'Form', on_return: 'reopen', on_duplicate: 'ignore' };
    await expectRefusal(client.post('/inbound-hooks', fields), { field: 'on_return' });
    const hook = await makeHook(client, { on_return: 'reopen' });
    await expectRefusal(client.patch(hook.path, { on_duplicate: 'reject' }), { field: 'on_return' });
    const other = await makeHook(client, { on_duplicate: 'ignore' });
    await expectRefusal(client.patch(other.path, { on_return: 'reopen' }), { field: 'on_return' });
    await client.patch(other.path, { on_return: 'reopen', on_duplicate: 'merge' }).expect(200);
  });
});
