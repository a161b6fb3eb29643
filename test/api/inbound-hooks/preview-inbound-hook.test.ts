import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { follow, latest } from '../../support/events.ts';
import { createLead, uniqueEmail } from '../../support/factories.ts';
import { formInput, type Hook, leadsOf, makeHook, sendIn } from '../../support/hooks.ts';
import { expectRefusal, make, users } from '../../support/resources.ts';
import { webhooks } from '../../support/webhooks.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

async function preview(hook: Hook, payload: object) {
  const { body } = await client.post(`${hook.path}/preview`, { payload }).expect(200);
  return body.data;
}

describe('POST /inbound-hooks/{id}/preview', () => {
  it('shows the lead that would be created', async () => {
    const assigned_user_id = (await make(client, users)).id;
    const mapping = { name: '/who', email: '/mail', tags: ['/topics'], 'metadata.page': '/page' };
    const hook = await makeHook(client, { mapping, assigned_user_id, default_tags: ['form'] });
    const email = uniqueEmail();
    const payload = { who: ' Ada ', mail: email, topics: ['a', 'b'], page: 7 };
    expect(await preview(hook, payload)).toEqual({
      status: 'created',
      lead: {
        name: 'Ada',
        email,
        other_emails: [],
        phone: null,
        status: 'new',
        source: 'website',
        source_detail: null,
        company: null,
        tags: ['form', 'a', 'b'],
        assigned_user_id,
        content_id: null,
        external_id: null,
        lost_reason: null,
        value: null,
        expected_close_on: null,
        metadata: { page: '7' },
      },
      note: null,
      errors: null,
      warnings: [],
    });
  });

  it('maps a value and its expected closing date', async () => {
    const mapping = {
      name: '/name',
      email: '/email',
      'value.amount': '/deal/worth',
      'value.currency': { path: '/deal/in', default: 'EUR' },
      expected_close_on: '/deal/by',
    };
    const hook = await makeHook(client, { mapping });
    const shown = async (deal: object) => {
      const { lead, warnings } = await preview(hook, { name: 'Ada', email: uniqueEmail(), deal });
      const fields = warnings.map(({ field }: { field: string }) => field);
      return [lead.value, lead.expected_close_on, ...fields];
    };
    expect(await shown({ worth: 1250.5, by: '2027-01-31' })).toEqual([
      { amount: '1250.5', currency: 'EUR' },
      '2027-01-31',
    ]);
    expect(await shown({ worth: '12', in: 'JPY' })).toEqual([{ amount: '12', currency: 'JPY' }, null]);
    expect(await shown({ worth: '', in: 'JPY' })).toEqual([null, null]);
    expect(await shown({ worth: '12 ab', by: 'soon' })).toEqual([
      null,
      null,
      'expected_close_on',
      'value.amount',
    ]);
  });

  it('shows the errors of a payload that gives no valid lead', async () => {
    const hook = await makeHook(client);
    expect(await preview(hook, { name: 'Ada', email: 'ada(at)example.com', phone: '030 1234' })).toEqual({
      status: 'rejected',
      lead: null,
      note: null,
      errors: { email: ['email must be an email address.'] },
      warnings: [{ field: 'phone', message: expect.stringContaining('no country code') }],
    });
  });

  it.each([
    ['merge', 'merged'],
    ['ignore', 'ignored'],
    ['reject', 'rejected'],
  ])('shows what %s does with a known email', async (on_duplicate, status) => {
    const { email } = await createLead(client);
    const hook = await makeHook(client, { on_duplicate });
    const seen = await preview(hook, { name: 'Other', email, company: 'Filled' });
    expect(seen).toMatchObject({ status, lead: { email } });
    expect(await leadsOf(client, email)).toMatchObject([{ company: null, version: 1 }]);
  });

  it('writes nothing', async () => {
    const hook = await makeHook(client);
    const form = formInput();
    const totals = () =>
      Promise.all(
        ['/leads', `${hook.path}/deliveries`].map(
          async (path) => (await client.get(path).expect(200)).body.meta.total,
        ),
      );
    const before = await totals();
    const after = await latest(client);
    expect((await preview(hook, form)).status).toBe('created');
    await preview(hook, {});
    expect(await totals()).toEqual(before);
    expect((await follow(client, { cursor: after })).events).toEqual([]);
    expect((await sendIn(app, hook, form)).status).toBe('created');
  });

  it('sends nothing to a webhook', async () => {
    const { id } = await make(client, webhooks);
    const hook = await makeHook(client);
    expect(await preview(hook, formInput())).toMatchObject({ status: 'created' });
    const { body } = await client.get(`/webhooks/${id}/deliveries`).expect(200);
    expect(body.data).toEqual([]);
    await client.delete(`/webhooks/${id}`).expect(204);
  });

  it('works for a paused hook', async () => {
    const hook = await makeHook(client, { status: 'paused' });
    expect((await preview(hook, formInput())).status).toBe('created');
  });

  it.each([[{}], [{ payload: null }], [{ payload: 'text' }], [{ payload: [] }]])(
    'refuses %j',
    async (body) => {
      const hook = await makeHook(client);
      await expectRefusal(client.post(`${hook.path}/preview`, body), { field: 'payload' });
    },
  );

  it('accepts a payload of nearly a mebibyte', async () => {
    const hook = await makeHook(client);
    const { status } = await preview(hook, formInput({ message: 'x'.repeat(1_000_000) }));
    expect(status).toBe('created');
  });
});
