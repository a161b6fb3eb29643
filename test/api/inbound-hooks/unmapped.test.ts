/** What the mapping of a hook has no field for. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead, createUser, uniqueEmail } from '../../support/factories.ts';
import { formInput, leadsOf, makeHook, readDelivery, sendAndRead, sendIn } from '../../support/hooks.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const NOT_MAPPED = 'The mapping has no field for this, so the note has it.';

describe('the default mapping', () => {
  it('keeps every field that it does not know in the note, and says so', async () => {
    const form = formInput({ message: 'Hello', budget: 'about 5k', nachricht: 'Bitte anrufen', size: 12.5 });
    const { notes, warnings } = await sendAndRead(app, client, await makeHook(client), form);
    expect(notes).toEqual(['Hello\n\nBudget: about 5k\nNachricht: Bitte anrufen\nSize: 12.5']);
    expect(warnings).toEqual(
      ['budget', 'nachricht', 'size'].map((field) => ({ field, message: NOT_MAPPED })),
    );
  });

  it.each([
    [{ phone: '+49 30 1234567', mobile: '+49 151 23456789' }, ['Mobile: +49 151 23456789']],
    [
      { phone: '+49 30 1234567', mobile: '+49 30 1234567', telefon: '+49 30 7654321' },
      ['Telefon: +49 30 7654321'],
    ],
    [{ company: 'Engines', organization: 'Engines Ltd' }, ['Organization: Engines Ltd']],
    [{ name: 'Ada', last_name: 'Lovelace', first_name: 'Ada' }, ['Last name: Lovelace']],
    [{ name: 'Ada', full_name: 'Ada Lovelace', nachname: 'King' }, ['Full name: Ada Lovelace']],
    [{ name: 'Ada Lovelace', full_name: 'Ada Lovelace' }, []],
  ])('keeps what another field has displaced in the note: %j', async (fields, expected) => {
    const { notes } = await sendAndRead(app, client, await makeHook(client), formInput(fields));
    expect(notes).toEqual(expected);
  });

  it('keeps campaign parameters in the metadata', async () => {
    const form = formInput({
      utm_source: 'news',
      UTM_Campaign: 'autumn',
      gclid: 'Cj0',
      page: { fbclid: 'Iw' },
    });
    const { lead, warnings, notes } = await sendAndRead(app, client, await makeHook(client), form);
    expect(lead?.metadata).toEqual({
      utm_source: 'news',
      utm_campaign: 'autumn',
      gclid: 'Cj0',
      fbclid: 'Iw',
    });
    expect({ warnings, notes }).toEqual({ warnings: [], notes: [] });
  });

  it('names the members of objects by their path, and leaves out what proves that no bot sent the form', async () => {
    const form = formInput({
      address: { city: 'London', geo: { lat: '51.5' } },
      wishes: ['a', 'b'],
      'g-recaptcha-response': 'x'.repeat(500),
      empty: { a: null, b: ' ' },
    });
    const { notes } = await sendAndRead(app, client, await makeHook(client), form);
    expect(notes).toEqual(['Address city: London\nAddress geo lat: 51.5\nWishes: a, b']);
  });

  it('leaves the honeypot out of the note', async () => {
    const hook = await makeHook(client, { honeypot: 'website' });
    const { notes } = await sendAndRead(app, client, hook, formInput({ website: '', shop: 'Berlin' }));
    expect(notes).toEqual(['Shop: Berlin']);
  });

  it('keeps them also after fields were added to it', async () => {
    const hook = await makeHook(client);
    await client.patch(hook.path, { mapping: { 'metadata.shop': '/shop' } }).expect(200);
    const { lead, notes } = await sendAndRead(app, client, hook, formInput({ shop: 'Berlin', floor: '2' }));
    expect({ metadata: lead?.metadata, notes }).toEqual({
      metadata: { shop: 'Berlin' },
      notes: ['Floor: 2'],
    });
  });

  it('looks at 200 values at most', async () => {
    const many = Object.fromEntries(Array.from({ length: 9_000 }, (_, index) => [`k${index}`, 'x']));
    const hook = await makeHook(client);
    const { delivery_id } = await sendIn(app, hook, formInput(many));
    const { warnings } = await readDelivery(client, hook, delivery_id);
    expect(warnings.length).toBeGreaterThan(0);
    expect(warnings.length).toBeLessThanOrEqual(200);
  });
});

it('another mapping decides what counts', async () => {
  const hook = await makeHook(client, { mapping: { name: '/name', email: '/email' } });
  const { notes, warnings } = await sendAndRead(
    app,
    client,
    hook,
    formInput({ telefon: '030 123', floor: '2' }),
  );
  expect({ notes, warnings }).toEqual({ notes: [], warnings: [] });
});

describe('a delivery without a name', () => {
  it.each([[{ name: '' }], [{ name: { x: 'Ada' } }]])(
    'makes a lead that is called by the beginning of its address: %j',
    async (fields) => {
      const hook = await makeHook(client);
      const email = `Ada.Lovelace-${uniqueEmail()}`;
      const { delivery_id } = await sendIn(app, hook, { ...formInput(), ...fields, email });
      expect(await leadsOf(client, email)).toMatchObject([{ name: email.split('@')[0] }]);
      const { warnings } = await readDelivery(client, hook, delivery_id);
      expect(warnings).toContainEqual({
        field: 'name',
        message: 'The data has no name, so the lead is called by the beginning of its email address.',
      });
    },
  );

  it('says nothing new about the name of a known person', async () => {
    const { email } = await createLead(client);
    const { notes } = await sendAndRead(app, client, await makeHook(client), {
      email,
      message: 'Hello',
    } as never);
    expect(notes).toEqual(['Hello']);
  });
});

it('a hook whose user is inactive makes leads without an owner, with a warning', async () => {
  const user = await createUser(client);
  const hook = await makeHook(client, { assigned_user_id: user });
  await client.patch(`/users/${user}`, { active: false }).expect(200);
  const { lead, warnings } = await sendAndRead(app, client, hook, formInput());
  expect(lead?.assigned_user_id).toBeNull();
  expect(warnings).toEqual([
    {
      field: 'assigned_user_id',
      message: 'The user to whom the hook assigns leads is inactive, so this one has no owner.',
    },
  ]);
});
