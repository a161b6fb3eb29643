/** The value and the expected closing date of a lead. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { latest } from '../../support/events.ts';
import { createLead, leadInput } from '../../support/factories.ts';
import { expectRefusal } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const euros = { amount: '1250.00', currency: 'EUR' };

describe('The value of a lead', () => {
  it.each([
    ['1250', 'EUR', '1250.00'],
    ['1250.5', 'EUR', '1250.50'],
    ['0', 'EUR', '0.00'],
    ['0.01', 'USD', '0.01'],
    ['999999999999999.99', 'EUR', '999999999999999.99'],
    ['1250', 'JPY', '1250'],
    ['999999999999999', 'JPY', '999999999999999'],
    ['1.5', 'KWD', '1.500'],
    ['999999999999999.9999', 'CLF', '999999999999999.9999'],
    // Currencies whose decimals in Intl differ from ISO 4217.
    ['1.25', 'HUF', '1.25'],
    ['1.25', 'COP', '1.25'],
    ['1.25', 'TWD', '1.25'],
    ['1.25', 'IDR', '1.25'],
    ['1', 'VND', '1'],
    ['1.255', 'IQD', '1.255'],
  ])('%s %s is shown as %s', async (amount, currency, shown) => {
    const { id, value } = await createLead(client, { value: { amount, currency } });
    expect(value).toEqual({ amount: shown, currency });
    expect((await client.get(`/leads/${id}`).expect(200)).body.data.value).toEqual(value);
  });

  it('is null by default, and so is the day', async () => {
    expect(await createLead(client)).toMatchObject({ value: null, expected_close_on: null });
    const none = { value: null, expected_close_on: null };
    expect(await createLead(client, none)).toMatchObject(none);
  });

  it.each([
    ['value.amount', { amount: '1.005', currency: 'EUR' }, 'must have at most 2 decimals in EUR, not 3'],
    ['value.amount', { amount: '1.50', currency: 'JPY' }, 'must have no decimals in JPY, not 2'],
    ['value.amount', { amount: '1.0000', currency: 'KWD' }, 'must have at most 3 decimals in KWD, not 4'],
    ['value.amount', { amount: '-1', currency: 'EUR' }, 'must be an amount such as 1250.00'],
    ['value.amount', { amount: '1,250.00', currency: 'EUR' }, 'must be an amount such as 1250.00'],
    ['value.amount', { amount: '1e3', currency: 'EUR' }, 'must be an amount such as 1250.00'],
    ['value.amount', { amount: '007', currency: 'EUR' }, 'must be an amount such as 1250.00'],
    ['value.amount', { amount: '1000000000000000', currency: 'EUR' }, 'at most 15 digits before the point'],
    ['value.amount', { amount: 1250, currency: 'EUR' }, 'must be a string'],
    ['value.amount', { currency: 'EUR' }, 'is required'],
    ['value.currency', { amount: '1' }, 'is required'],
    ['value.currency', { amount: '1', currency: 'eur' }, 'ISO 4217'],
    ['value.currency', { amount: '1', currency: 'EURO' }, 'ISO 4217'],
    ['value.currency', { amount: '1', currency: 'ABC' }, 'ISO 4217'],
    ['value.currency', { amount: '1', currency: 'DEM' }, 'ISO 4217'],
    ['value.currency', { amount: '1', currency: 'XAU' }, 'ISO 4217'],
    ['value.cents', { ...euros, cents: 1 }, 'is unknown or read-only'],
    ['value', '1250 EUR', 'must be an object'],
  ])('rejects %s of %j', async (field, value, message) => {
    const lead = await createLead(client, { value: euros });
    const { errors } = await expectRefusal(client.post('/leads', { ...leadInput(), value }), { field });
    expect(errors?.[field]?.join()).toContain(message);
    const other = await createLead(client);
    await expectRefusal(client.patch(`/leads/${other.id}`, { value }), { field });
    expect((await client.get(`/leads/${lead.id}`)).body.data).toEqual(lead);
  });

  it.each(['2026-02-30', '2026-1-1', '2026-11-20T09:30:00Z', 'tomorrow', ''])(
    'refuses expected_close_on of %j',
    async (expected_close_on) => {
      await expectRefusal(client.post('/leads', { ...leadInput(), expected_close_on }), {
        field: 'expected_close_on',
      });
    },
  );

  it('is merged by PATCH: missing fields stay, null clears', async () => {
    const { id } = await createLead(client, { value: euros, expected_close_on: '2027-01-31' });
    const patch = async (fields: object) =>
      (await client.patch(`/leads/${id}`, fields).expect(200)).body.data;
    expect(await patch({ name: 'Grace' })).toMatchObject({ value: euros, expected_close_on: '2027-01-31' });
    expect(await patch({ value: { amount: '5' } })).toMatchObject({
      value: { amount: '5.00', currency: 'EUR' },
    });
    expect(await patch({ value: { currency: 'USD' } })).toMatchObject({
      value: { amount: '5.00', currency: 'USD' },
    });
    const asWhole = { value: { amount: '5', currency: 'USD' }, expected_close_on: '2027-01-31' };
    expect((await patch(asWhole)).version).toBe((await patch({})).version);
    // 5.00 has decimals that yen don't have.
    await expectRefusal(client.patch(`/leads/${id}`, { value: { currency: 'JPY' } }), {
      field: 'value.amount',
    });
    expect(await patch({ value: null, expected_close_on: null })).toMatchObject({
      value: null,
      expected_close_on: null,
    });
    await expectRefusal(client.patch(`/leads/${id}`, { value: { amount: '5' } }), {
      field: 'value.currency',
    });
  });

  it('is set and merged by the id of another system', async () => {
    const path = '/leads/external/deal-1';
    await expectRefusal(client.patch(path, { ...leadInput(), value: { amount: '1' } }), {
      field: 'value.currency',
    });
    const { body } = await client.patch(path, { ...leadInput(), value: { amount: '1', currency: 'EUR' } });
    expect(body.data.value).toEqual({ amount: '1.00', currency: 'EUR' });
    const merged = await client.patch(path, { value: { amount: '2' } }).expect(200);
    expect(merged.body.data.value).toEqual({ amount: '2.00', currency: 'EUR' });
  });

  it('is in the events of the lead, and stays when the person is erased', async () => {
    const after = await latest(client);
    const { id } = await createLead(client, { value: euros });
    await client.patch(`/leads/${id}`, { value: { amount: '7' }, expected_close_on: '2027-02-28' });
    await client.patch(`/leads/${id}`, { value: null });
    const changes = async () => {
      const { body } = await client.get(`/events?cursor=${after}&resource_id=${id}`).expect(200);
      return body.data.map(({ data }: { data: { changes: object } }) => data.changes);
    };
    const seven = { amount: '7.00', currency: 'EUR' };
    const told = [
      {},
      { value: { from: euros, to: seven }, expected_close_on: { from: null, to: '2027-02-28' } },
      { value: { from: seven, to: null } },
    ];
    expect(await changes()).toEqual(told);
    await client.delete(`/leads/${id}`).expect(204);
    expect(await changes()).toEqual([...told, {}]);
  });
});
