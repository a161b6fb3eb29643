/** A known person who writes again, a delivery that is sent or processed again, and deliveries that make no lead. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead, uniqueEmail } from '../../support/factories.ts';
import {
  formInput,
  type Hook,
  leadsOf,
  makeHook,
  notesAbout,
  readDelivery,
  sendAndRead,
  sendIn,
} from '../../support/hooks.ts';
import { expectRefusal } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

/** The types of a lead's events, oldest first. */
async function eventsOf(leadId: string | undefined) {
  const { body } = await client.get(`/leads/${leadId}/events?per_page=100`).expect(200);
  return body.data.toReversed();
}

const typesOf = async (leadId: string | undefined) =>
  (await eventsOf(leadId)).map(({ type }: { type: string }) => type);

const reprocess = (hook: Hook, deliveryId: string) =>
  client.post(`${hook.path}/deliveries/${deliveryId}/reprocess`).expect(200);

describe('A known person who writes again', () => {
  it.each(['merge', 'ignore'])(
    'adds a note and an event with %s, and overwrites nothing',
    async (on_duplicate) => {
      const lead = await createLead(client, { phone: '+491511234567', company: 'Engines' });
      const hook = await makeHook(client, { on_duplicate });
      const message = 'What does it cost?';
      const form = {
        name: lead.name,
        email: lead.email,
        phone: '+49 30 123456',
        company: 'engines',
        message,
      };
      const { notes, lead: after } = await sendAndRead(app, client, hook, form);
      expect(after).toEqual(lead);
      expect(notes).toEqual(['What does it cost?\n\nPhone: +4930123456']);
      const [, note, returned, ...others] = await eventsOf(lead.id);
      expect(others).toEqual([]);
      expect(note).toMatchObject({ type: 'note.created', request_id: returned.request_id });
      expect(returned).toMatchObject({
        type: 'lead.returned',
        actor: { type: 'hook', id: hook.id },
        data: { object: after, changes: {} },
      });
    },
  );

  it('is an event after the update if the enquiry fills something, even without a message', async () => {
    const lead = await createLead(client);
    const form = { name: lead.name, email: lead.email.toUpperCase(), company: 'Engines' };
    const { status, notes } = await sendAndRead(app, client, await makeHook(client), form as never);
    expect({ status, notes }).toEqual({ status: 'merged', notes: [] });
    expect(await typesOf(lead.id)).toEqual(['lead.created', 'lead.updated', 'lead.returned']);
  });

  it('gives neither with reject, nor for a new person', async () => {
    const lead = await createLead(client);
    const hook = await makeHook(client, { on_duplicate: 'reject' });
    const form = formInput({ email: lead.email, message: 'Hello' });
    expect(await sendAndRead(app, client, hook, form)).toMatchObject({ status: 'rejected', notes: [] });
    expect(await typesOf(lead.id)).toEqual(['lead.created']);
    const created = await sendAndRead(app, client, hook, formInput({ message: 'Hello' }));
    expect(await typesOf(created.lead?.id)).toEqual(['lead.created', 'note.created']);
  });

  it('reaches webhooks that subscribe to it', async () => {
    const { body } = await client
      .post('/webhooks', { url: 'https://hooks.example.com/x', event_types: ['lead.returned'] })
      .expect(201);
    const lead = await createLead(client);
    await sendIn(app, await makeHook(client), { name: lead.name, email: lead.email });
    const { data } = (await client.get(`/webhooks/${body.data.id}/deliveries`).expect(200)).body;
    expect(data).toMatchObject([{ event_type: 'lead.returned' }]);
    await client.delete(`/webhooks/${body.data.id}`).expect(204);
  });
});

describe('Reprocessing', () => {
  it('changes the note instead of adding another one, and is no enquiry', async () => {
    const hook = await makeHook(client);
    const form = formInput({ message: 'Hello', topic: 'Prices', phone: '030 123456' });
    const { delivery_id, lead, notes } = await sendAndRead(app, client, hook, form);
    expect(notes).toEqual(['Hello\n\nPhone: 030 123456\nTopic: Prices']);
    await reprocess(hook, delivery_id);
    expect(await notesAbout(client, lead?.id ?? '')).toEqual(notes);
    const mapping = { note: { join: ['/topic', '/message'], with: ': ' } };
    await client.patch(hook.path, { mapping, default_country: 'DE' }).expect(200);
    const { body } = await reprocess(hook, delivery_id);
    expect(body.data).toMatchObject({ status: 'merged', warnings: [] });
    expect(await notesAbout(client, lead?.id ?? '')).toEqual(['Prices: Hello']);
    expect(await leadsOf(client, form.email)).toMatchObject([{ phone: '+4930123456' }]);
    expect(await typesOf(lead?.id)).toEqual(['lead.created', 'note.created', 'lead.updated', 'note.updated']);
  });

  it('keeps in the note what a known person said differently', async () => {
    const lead = await createLead(client, { phone: '+491511234567' });
    const hook = await makeHook(client);
    const form = { name: lead.name, email: lead.email, phone: '+49 30 123456', message: 'Hello' };
    const { delivery_id, notes } = await sendAndRead(app, client, hook, form);
    expect(notes).toEqual(['Hello\n\nPhone: +4930123456']);
    await reprocess(hook, delivery_id);
    expect(await notesAbout(client, lead.id)).toEqual(notes);
    expect(await typesOf(lead.id)).toEqual(['lead.created', 'note.created', 'lead.returned']);
  });

  it('of a rejected delivery adds the note, once', async () => {
    const hook = await makeHook(client);
    const email = uniqueEmail();
    const { delivery_id } = await sendIn(app, hook, { name: 'Ada', contact: email, message: 'Hello' });
    await client.patch(hook.path, { mapping: { email: '/contact' } }).expect(200);
    await reprocess(hook, delivery_id);
    await reprocess(hook, delivery_id);
    const [lead] = await leadsOf(client, email);
    expect(await notesAbout(client, lead?.id ?? '')).toEqual(['Hello']);
  });
});

describe('A delivery that is sent again', () => {
  it('is processed again if it was rejected, as soon as the mapping is mended', async () => {
    const hook = await makeHook(client);
    const email = uniqueEmail();
    const payload = { name: 'Ada', contact: email };
    const first = await sendIn(app, hook, payload);
    expect(first.status).toBe('rejected');
    expect(await sendIn(app, hook, payload)).toEqual(first);
    const { body } = await client.get(`/events?resource_id=${hook.id}`).expect(200);
    expect(body.data).toHaveLength(1);
    await client.patch(hook.path, { mapping: { email: '/contact' } }).expect(200);
    expect(await sendIn(app, hook, payload)).toEqual({ ...first, status: 'created' });
    expect(await sendIn(app, hook, payload)).toEqual({ ...first, status: 'duplicate' });
    expect(await leadsOf(client, email)).toHaveLength(1);
  });

  it('with the same webhook-id and a corrected body is processed as it is now', async () => {
    const hook = await makeHook(client);
    const headers = { 'webhook-id': 'msg_1' };
    const first = await sendIn(app, hook, { name: 'Ada' }, headers);
    const form = formInput();
    const second = await sendIn(app, hook, form, headers);
    expect(second.status).toBe('created');
    expect(second.delivery_id).not.toBe(first.delivery_id);
    expect((await readDelivery(client, hook, second.delivery_id)).payload).toEqual(form);
    expect(await sendIn(app, hook, {}, headers)).toEqual({ ...second, status: 'duplicate' });
  });

  it('makes a lead again if its lead was deleted since', async () => {
    const hook = await makeHook(client);
    const form = formInput();
    const { lead, delivery_id } = await sendAndRead(app, client, hook, form);
    await client.delete(`/leads/${lead?.id}`).expect(204);
    const second = await sendIn(app, hook, form);
    expect(second.status).toBe('created');
    expect(second.delivery_id).not.toBe(delivery_id);
    expect((await readDelivery(client, hook, second.delivery_id)).payload).toEqual(form);
  });

  it('makes one lead of ten concurrent ones after a rejection', async () => {
    const hook = await makeHook(client);
    const email = uniqueEmail();
    await sendIn(app, hook, { name: 'Ada', contact: email });
    await client.patch(hook.path, { mapping: { email: '/contact' } }).expect(200);
    const again = () => sendIn(app, hook, { name: 'Ada', contact: email });
    const statuses = (await Promise.all(Array.from({ length: 10 }, again))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual(['created', ...Array.from({ length: 9 }, () => 'duplicate')]);
    expect(await leadsOf(client, email)).toHaveLength(1);
  });
});

describe('accept_if', () => {
  it.each<[object, object, boolean]>([
    [{ path: '/event', equals: 'invitee.created' }, { event: 'invitee.created' }, true],
    [{ path: '/event', equals: 'invitee.created' }, { event: 'invitee.canceled' }, false],
    [{ path: '/event', equals: 'invitee.created' }, {}, false],
    [{ path: '/is_test', not_equals: 'true' }, { is_test: true }, false],
    [{ path: '/is_test', not_equals: 'true' }, { is_test: false }, true],
    [{ path: '/is_test', not_equals: 'true' }, {}, true],
    [{ path: '/form', in: ['1', '2'] }, { form: 2 }, true],
    [{ path: '/form', in: ['1', '2'] }, { form: 3 }, false],
    [{ path: '/consent', exists: true }, { consent: 'yes' }, true],
    [{ path: '/consent', exists: true }, { consent: '' }, false],
    [{ path: '/spam', exists: false }, { spam: [] }, true],
    [
      { path: "$.answers[?@.id=='consent'].yes", equals: 'true' },
      { answers: [{ id: 'consent', yes: true }] },
      true,
    ],
    [
      { path: "$.answers[?@.id=='consent'].yes", equals: 'true' },
      { answers: [{ id: 'consent', yes: false }] },
      false,
    ],
    [{ path: '$[?@>100]', exists: true }, { budget: 150 }, true],
    [{ path: '$[?@>100]', exists: true }, { budget: 50 }, false],
  ])('%j of %j: %j', async (accept_if, fields, isAccepted) => {
    const hook = await makeHook(client, { accept_if });
    const form = formInput(fields);
    expect((await sendIn(app, hook, form)).status).toBe(isAccepted ? 'created' : 'skipped');
    expect(await leadsOf(client, form.email)).toHaveLength(isAccepted ? 1 : 0);
  });

  it('skips without an event, until it is changed', async () => {
    const hook = await makeHook(client, { accept_if: { path: '/ok', exists: true } });
    const form = formInput();
    const { delivery_id } = await sendIn(app, hook, form);
    const seen = await readDelivery(client, hook, delivery_id);
    expect(seen).toMatchObject({ status: 'skipped', lead_id: null, errors: null, warnings: [] });
    expect((await client.get(`/events?resource_id=${hook.id}`).expect(200)).body.data).toEqual([]);
    const { body } = await client.get(`${hook.path}/deliveries?status=skipped`).expect(200);
    expect(body.meta.total).toBe(1);
    const preview = await client.post(`${hook.path}/preview`, { payload: form }).expect(200);
    expect(preview.body.data).toMatchObject({ status: 'skipped', lead: null, note: null });
    await client.patch(hook.path, { accept_if: null }).expect(200);
    expect((await reprocess(hook, delivery_id)).body.data.status).toBe('created');
  });

  it.each<[object, string]>([
    [{ path: '/ok' }, 'accept_if'],
    [{ path: '/ok', equals: 'a', exists: true }, 'accept_if'],
    [{ equals: 'a', in: ['b'] }, 'accept_if.path'],
    [{ path: 'ok', equals: 'a' }, 'accept_if.path'],
    [{ path: '$[?', equals: 'a' }, 'accept_if.path'],
    [{ path: '/ok', in: Array.from({ length: 50 }, () => 'x'.repeat(500)) }, 'accept_if'],
  ])('refuses %j', async (accept_if, field) => {
    await expectRefusal(client.post('/inbound-hooks', { name: 'Form', accept_if }), { field });
  });
});
