/** Phones of leads and contacts: any international spelling, stored in E.164, and found in any spelling. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

beforeEach(async () => {
  await app.production.knex('leads').delete();
  await app.production.knex('contacts').delete();
});

afterAll(() => app.close());

const ada = { name: 'Ada Example', email: 'ada@example.com' };

describe.each(['leads', 'contacts'])('a phone of %s', (list) => {
  it.each([
    ['+49 151 12345678', '+4915112345678'],
    ['+49 (0)151 / 123 456-78', '+4915112345678'],
    ['0049 151 12345678', '+4915112345678'],
    ['011 44 20 7946 0123', '+442079460123'],
    ['tel:+44-20-7946-0123', '+442079460123'],
    ['＋４９１５１１２３４５６７８', '+4915112345678'],
    ['+39 (0)6 1234567', '+39061234567'],
    [' +1 (415) 555-2671 ', '+14155552671'],
    // In E.164, even numbers that nobody has.
    ['+15551234567', '+15551234567'],
  ])('of %j is stored as %s', async (phone, stored) => {
    const { body } = await client.post(`/${list}`, { ...ada, phone }).expect(201);
    expect(body.data.phone).toBe(stored);
    expect(body.data.metadata).toEqual({});
  });

  it('is read in a merge patch, an upsert and a batch, and an extension goes to the metadata', async () => {
    const { body } = await client.post(`/${list}`, { ...ada, external_id: '1' }).expect(201);
    const path = `/${list}/${body.data.id}`;
    const extended = await client.patch(path, {
      phone: '+1 415 555 2671 ext. 5',
      metadata: { plan: 'gold' },
    });
    expect(extended.body.data).toMatchObject({
      phone: '+14155552671',
      metadata: { phone_extension: '5', plan: 'gold' },
    });
    const again = await client.patch(path, { phone: '+1 415 555 2671 x 12' }).expect(200);
    expect(again.body.data.metadata).toEqual({ phone_extension: '12', plan: 'gold' });
    const upsert = await client.patch(`/${list}/external/1`, { phone: '+44 20 7946 0123' }).expect(200);
    expect(upsert.body.data.phone).toBe('+442079460123');
    const batch = await client.post(`/${list}/batch/create`, {
      items: [{ name: 'Bob', email: 'bob@example.com', phone: '+44 20 7946 0124 #7' }],
    });
    expect(batch.body.data[0]).toMatchObject({ status: 'created' });
    const { body: found } = await client.get(`/${list}?email=bob@example.com`).expect(200);
    expect(found.data[0]).toMatchObject({ phone: '+442079460124', metadata: { phone_extension: '7' } });
  });

  it.each([[[]], [['a']], ['x'], [5]])(
    'with an extension does not hide that the metadata is %j',
    async (metadata) => {
      const phone = '+1 415 555 2671 ext. 5';
      const { body } = await client.post(`/${list}`, { ...ada, phone, metadata }).expect(422);
      expect(body.errors).toEqual({ metadata: ['metadata must be an object.'] });
    },
  );

  it.each([
    '0151 12345678',
    '491511234567',
    '+49',
    '+49 151 12345678; +49 30 123456',
    'call me',
    '+1 415 555 26711',
    '',
  ])('%j is a 422', async (phone) => {
    const { body } = await client.post(`/${list}`, { ...ada, phone }).expect(422);
    const message = 'phone must be a phone number with its country code, such as +49 151 12345678.';
    expect(body.errors).toEqual({ phone: [message] });
  });

  it('of any length is refused at once', async () => {
    const phone = `+${'1 '.repeat(50_000)}`;
    const { body } = await client.post(`/${list}`, { ...ada, phone }).expect(422);
    expect(Object.keys(body.errors)).toEqual(['phone']);
  });

  it('is found by the filter in any spelling, also by the export', async () => {
    await client.post(`/${list}`, { ...ada, phone: '+49 151 12345678' }).expect(201);
    await client.post(`/${list}`, { name: 'Bob', email: 'bob@example.com', phone: '+44 151 12345678' });
    await client.post(`/${list}`, { name: 'Cy', email: 'cy@example.com' }).expect(201);
    for (const phone of ['+4915112345678', '0049 (0)151 12345678', 'tel:+49-151-12345678']) {
      const { body } = await client.get(`/${list}?phone=${encodeURIComponent(phone)}`).expect(200);
      expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['Ada Example']);
      expect(body.meta.total).toBe(1);
    }
    // A plus that nobody escaped.
    const { body: unescaped } = await client.get(`/${list}?phone=+4915112345678&sort=name`).expect(200);
    expect(unescaped.meta.total).toBe(1);
    const file = await client.get(`/${list}/export?phone=004915112345678`).expect(200);
    expect(file.text.trim().split('\n')).toHaveLength(2);
    const { body } = await client.get(`/${list}?phone=015112345678`).expect(400);
    expect(body.errors.phone[0]).toMatch(/^phone must be a phone number with its country code/);
  });

  it.each([
    '+49 151 12345678',
    '4915112345678',
    '0049 (0)151 12345678',
    '0151 12345678',
    '0151/1234 56-78',
    '15112345678',
    '2345678',
    '234 56 78',
    '011 49 151 12345678',
    'ada 0151 12345678',
    '0151 12345678 exam',
  ])('is found by the search %j', async (search) => {
    await client.post(`/${list}`, { ...ada, phone: '+4915112345678' }).expect(201);
    await client.post(`/${list}`, { ...ada, email: 'bob@example.com', phone: '+4915112345679' }).expect(201);
    await client.post(`/${list}`, { name: 'Cy', email: 'cy@example.com' }).expect(201);
    const { body } = await client.get(`/${list}?search=${encodeURIComponent(search)}`).expect(200);
    expect(body.data.map(({ email }: { email: string }) => email)).toEqual([ada.email]);
  });

  it.each([
    '345678',
    'bob 0151 12345678',
    '0151 12345678 4711',
    'x2345678',
    '2345678@example.com',
    '99992345678',
  ])('is not found by the search %j', async (search) => {
    await client.post(`/${list}`, { ...ada, phone: '+4915112345678' }).expect(201);
    const { body } = await client.get(`/${list}?search=${encodeURIComponent(search)}`).expect(200);
    expect(body.meta.total).toBe(0);
  });

  it('leaves digits in names searchable', async () => {
    await client.post(`/${list}`, { ...ada, company: 'Unit 2345678 Ltd' }).expect(201);
    for (const search of ['2345678', 'unit 2345678', '23456']) {
      const { body } = await client.get(`/${list}?search=${encodeURIComponent(search)}`).expect(200);
      expect(body.meta.total).toBe(1);
    }
  });
});
