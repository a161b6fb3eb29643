import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead, uniqueEmail } from '../../support/factories.ts';
import { formInput, leadsOf, makeHook, readDelivery, send, sendIn } from '../../support/hooks.ts';
import { content, make, read, users } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client();
});

afterAll(() => app.close());

describe('POST /hooks/{token}', () => {
  it("creates a lead from a form, with the hook's settings", async () => {
    const assigned_user_id = (await make(client, users)).id;
    const content_id = (await make(client, content)).id;
    const fields = { lead_source: 'referral', default_tags: ['form'], assigned_user_id, content_id };
    const hook = await makeHook(client, fields);
    const email = uniqueEmail();
    const form = new URLSearchParams({ name: 'Ada Lovelace', email, phone: '', company: 'Engines' });
    const { body } = await send(app, hook, form.toString())
      .type('application/x-www-form-urlencoded')
      .expect(202);
    expect(body).toEqual({
      data: {
        delivery_id: expect.stringMatching(/^inbound_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
        status: 'created',
      },
    });
    expect(await leadsOf(client, email)).toMatchObject([
      {
        name: 'Ada Lovelace',
        phone: null,
        company: 'Engines',
        status: 'new',
        source: 'referral',
        tags: ['form'],
        assigned_user_id,
        content_id,
      },
    ]);
  });

  it('records the hook as the actor', async () => {
    const hook = await makeHook(client);
    const form = formInput();
    const { headers } = await send(app, hook, form).expect(202);
    const [lead] = await leadsOf(client, form.email);
    const { body } = await client.get(`/leads/${lead?.id}/events`).expect(200);
    const actor = { type: 'hook', id: hook.id };
    const request_id = headers['x-request-id'];
    expect(body.data).toMatchObject([{ type: 'lead.created', actor, request_id }]);
  });

  it('assigns nobody if the user has become inactive', async () => {
    const { id } = await make(client, users);
    const hook = await makeHook(client, { assigned_user_id: id });
    await client.patch(`/users/${id}`, { active: false }).expect(200);
    const form = formInput();
    expect((await sendIn(app, hook, form)).status).toBe('created');
    expect(await leadsOf(client, form.email)).toMatchObject([{ assigned_user_id: null }]);
  });

  it('follows JSON Pointers with escapes and lists, and uses defaults for missing values', async () => {
    const hook = await makeHook(client, {
      mapping: {
        name: '/a~1b/~0x',
        email: '/list/1/email',
        company: { path: '/none', default: 'Unknown' },
        phone: { path: '/phone', default: '+4915100000000' },
        external_id: '/number',
        status: '/stage',
        tags: ['/tags', '/one', '/missing', '/yes'],
        'metadata.length': '/list/length',
        'metadata.blank': '/blank',
        'metadata.proto': '/__proto__/polluted',
        'metadata.text': '/text',
      },
    });
    const email = uniqueEmail();
    const payload = {
      'a/b': { '~x': '  Ada  ' },
      list: [{}, { email }],
      phone: null,
      number: 4711,
      stage: 'qualified',
      tags: ['x', 'y', 'x', ''],
      one: 'z',
      yes: true,
      blank: '   ',
      text: 'kept',
    };
    expect((await sendIn(app, hook, payload)).status).toBe('created');
    expect(await leadsOf(client, email)).toMatchObject([
      {
        name: 'Ada',
        company: 'Unknown',
        phone: '+4915100000000',
        external_id: '4711',
        status: 'qualified',
        tags: ['x', 'y', 'z', 'true'],
        metadata: { text: 'kept' },
      },
    ]);
    const [lead] = await leadsOf(client, email);
    expect(Object.keys(lead?.metadata ?? {})).toEqual(['text']);
  });

  it.each([
    [{ name: 'Ada' }, { email: ['email is required.'] }],
    [{ name: 'Ada', email: 'x' }, { email: ['email must be an email address.'] }],
    [{ name: 'x'.repeat(201), email: 'ada@example.com' }, { name: [expect.stringContaining('200')] }],
  ])('stores %j as rejected, and records an event', async (payload, errors) => {
    const hook = await makeHook(client);
    const { delivery_id, status } = await sendIn(app, hook, payload);
    expect(status).toBe('rejected');
    expect(await readDelivery(client, hook, delivery_id)).toMatchObject({ errors, payload, lead_id: null });
    const { body } = await client.get(`/events?resource_id=${hook.id}`).expect(200);
    expect(body.data).toMatchObject([
      {
        type: 'inbound.rejected',
        actor: { type: 'hook', id: hook.id },
        data: { object: { id: hook.id, name: 'Contact form', delivery_id, errors }, changes: {} },
      },
    ]);
  });

  it("leaves out what violates rules that the schema can't express", async () => {
    const { external_id } = await createLead(client, { external_id: uniqueEmail() });
    const mapping = { name: '/name', email: '/email', external_id: '/id', assigned_user_id: '/owner' };
    const hook = await makeHook(client, { mapping });
    const form = formInput({ id: external_id, owner: 'user_01h455vb4pex5vsknk084sn02q' });
    const { delivery_id, status } = await sendIn(app, hook, form);
    expect(status).toBe('created');
    expect(await leadsOf(client, form.email)).toMatchObject([{ external_id: null, assigned_user_id: null }]);
    expect((await readDelivery(client, hook, delivery_id)).warnings).toEqual([
      { field: 'assigned_user_id', message: 'assigned_user_id must be the id of an active user.' },
      { field: 'external_id', message: 'external_id is already used by another lead.' },
    ]);
  });

  it('merges into the lead with the same email: fills and adds, but never overwrites', async () => {
    const { id } = await make(client, users);
    const lead = await createLead(client, { company: 'First', tags: ['a'], metadata: { plan: 'gold' } });
    const mapping = {
      name: '/name',
      email: '/email',
      phone: '/phone',
      company: '/company',
      tags: ['/tag'],
      'metadata.plan': '/plan',
      'metadata.form': '/form',
      'value.amount': '/worth',
      'value.currency': { path: '/currency', default: 'EUR' },
      expected_close_on: '/by',
    };
    const hook = await makeHook(client, { mapping, assigned_user_id: id, lead_source: 'referral' });
    const payload = {
      name: 'Other',
      email: lead.email.toUpperCase(),
      phone: '+4915112345678',
      company: 'Second',
      tag: 'b',
      plan: 'free',
      form: 'contact',
      worth: 1250,
      by: '2027-01-31',
    };
    expect((await sendIn(app, hook, payload)).status).toBe('merged');
    const after = await read(client, { path: '/leads' } as never, lead.id);
    expect(after).toEqual({
      ...lead,
      phone: '+4915112345678',
      assigned_user_id: id,
      tags: ['a', 'b'],
      metadata: { plan: 'gold', form: 'contact' },
      value: { amount: '1250.00', currency: 'EUR' },
      expected_close_on: '2027-01-31',
      updated_at: expect.any(String),
      version: 2,
    });
    const again = await sendIn(app, hook, { ...payload, name: 'Third', worth: 7, by: '2028-01-31' });
    expect(again.status).toBe('merged');
    expect(await read(client, { path: '/leads' } as never, lead.id)).toEqual(after);
  });

  it.each([
    ['ignore', 'ignored', null],
    ['reject', 'rejected', { email: ['email is already used by another lead.'] }],
  ])('leaves the lead with the same email unchanged with %s', async (on_duplicate, status, errors) => {
    const lead = await createLead(client);
    const hook = await makeHook(client, { on_duplicate });
    const payload = { name: 'Other', email: lead.email, company: 'Filled' };
    const receipt = await sendIn(app, hook, payload);
    expect(receipt.status).toBe(status);
    expect(await readDelivery(client, hook, receipt.delivery_id)).toMatchObject({ errors });
    expect(await leadsOf(client, lead.email)).toEqual([lead]);
  });

  it('creates one lead for ten concurrent requests with the same email', async () => {
    const hook = await makeHook(client);
    const email = uniqueEmail();
    const sent = Array.from({ length: 10 }, (_, n) => sendIn(app, hook, { name: `Ada ${n}`, email }));
    const statuses = (await Promise.all(sent)).map(({ status }) => status).toSorted();
    expect(statuses).toEqual(['created', ...Array.from({ length: 9 }, () => 'merged')]);
    expect(await leadsOf(client, email)).toHaveLength(1);
  });

  it.each([
    ['an unknown token', 'lph_live_2vXhQ0bJ8mTn4kRz7yWc1sLd6gPf9aUe3iOoBxVqKtM'],
    ['a malformed token', 'x'],
    ['NUL', '%00'],
  ])('answers 404 to %s', async (_what, token) => {
    const { body } = await send(app, { token }, formInput()).expect(404);
    expect(body.code).toBe('not_found');
  });

  it('works only in its own environment', async () => {
    const hook = await makeHook(await app.client(undefined, 'sandbox'));
    await send(app, hook, formInput()).expect(404);
    await app.anonymous.at(`${app.url}/sandbox/v1`).post(`/hooks/${hook.token}`, formInput()).expect(202);
  });
});
