import { describe, expect, it } from 'vitest';
import type { FieldOptions } from '../../src/spellings/given.ts';
import { readFields } from '../../src/spellings/read-fields.ts';
import { readCases } from '../support/cases.ts';

const read = (fields: Record<string, unknown>, options: Partial<FieldOptions> = {}) =>
  readFields(
    Object.entries(fields).map(([field, value]) => ({ field, value })),
    { resource: 'leads', ...options },
  );

describe('readFields', () => {
  it('reads what people type into the body of a lead, and tells what it left out', () => {
    const { body, warnings } = read(
      {
        name: '  Ada   Example ',
        email: 'Ada Example <ada@exämple.de>; bob@example.com',
        phone: '4.91512E+12',
        company: ' Engines ',
        status: 'Closed Won',
        source: 'Partner Referral',
        'value.amount': '1.250,00 €',
        expected_close_on: '31.01.2027',
        tags: 'vip, VIP',
        'metadata.plan': 'N/A',
        note: 'Called twice.',
      },
      { country: 'DE', locale: 'de' },
    );
    expect(body).toEqual({
      name: 'Ada Example',
      email: 'ada@xn--exmple-cua.de',
      company: 'Engines',
      source: 'referral',
      source_detail: 'Partner Referral',
      value: { amount: '1250.00', currency: 'EUR' },
      expected_close_on: '2027-01-31',
      tags: ['vip'],
      note: 'Called twice.',
      other_emails: ['bob@example.com'],
      metadata: { original_status: 'Closed Won' },
    });
    expect(warnings.map(({ field, value }) => [field, value])).toEqual([
      ['phone', '4.91512E+12'],
      ['status', 'Closed Won'],
      ['source', 'Partner Referral'],
    ]);
  });

  it('trims, and takes placeholders for nothing, as in 18-whitespace.csv', () => {
    const bodies = readCases('18-whitespace.csv').map((row) => read(row).body);
    expect(bodies).toEqual([
      {
        name: 'Ada Example',
        email: 'ada@example.com',
        company: 'Engines',
        external_id: '4711',
        tags: ['vip', 'a', 'b'],
      },
      { email: 'b@example.com' },
      { email: 'c@example.com' },
      { email: 'd@example.com' },
      { email: 'e@example.com' },
    ]);
    expect(readCases('18-whitespace.csv').flatMap((row) => read(row).warnings)).toEqual([]);
  });

  it('takes the first filled text of a field, and all tags', () => {
    const given = [
      { field: 'phone', value: '-' },
      { field: 'phone', value: 'call me' },
      { field: 'phone', value: '+49 151 12345678' },
      { field: 'phone', value: '+49 30 123456' },
      { field: 'email', value: 'nobody' },
      { field: 'email', value: 'ada@example.com' },
      { field: 'email', value: 'ADA@example.com, bob@example.com' },
      { field: 'company', value: 'NULL' },
      { field: 'company', value: 'Engines' },
      { field: 'company', value: 'Other' },
      { field: 'tags', value: 'a;b' },
      { field: 'tags', value: ['c, d', 'A', 7] },
      { field: 'tags', value: '["e, f"]' },
      { field: 'status', value: 'Open' },
      { field: 'status', value: 'won' },
      { field: 'note', value: 'One.' },
      { field: 'note', value: 'Two.' },
    ];
    const { body, warnings } = readFields(given, { resource: 'leads' });
    expect(body).toEqual({
      phone: '+4915112345678',
      email: 'ada@example.com',
      company: 'Engines',
      tags: ['a', 'b', 'c', 'd', '7', 'e', 'f'],
      status: 'won',
      note: 'One.\n\nTwo.',
      other_emails: ['bob@example.com'],
    });
    expect(warnings.map(({ field, value }) => [field, value])).toEqual([
      ['email', 'nobody'],
      ['phone', 'call me'],
    ]);
  });

  it.each([
    [{ 'name.last': 'Example', 'name.first': 'Ada' }, 'Ada Example'],
    [
      { 'name.prefix': 'Dr.', 'name.last': 'Example', 'name.middle': 'M.', 'name.first': 'Ada' },
      'Dr. Ada M. Example',
    ],
    [{ 'name.first': 'Ada', 'name.last': '-' }, 'Ada'],
    [{ 'name.last': 'Null' }, 'Null'],
    [{ name: 'Ada Lovelace', 'name.first': 'Augusta', 'name.last': 'King' }, 'Ada Lovelace'],
    [{ name: '\u200b', 'name.first': 'Ada' }, 'Ada'],
    [{ email: 'Ada Example <ada@example.com>' }, 'Ada Example'],
    [{ name: 'Ada', email: 'Ada Example <ada@example.com>' }, 'Ada'],
  ])('joins the name from %j', (fields, name) => {
    expect(read(fields).body.name).toBe(name);
  });

  it('leaves what the resource requires as it is, for the validation to refuse', () => {
    expect(read({ email: ' ada@example ' })).toEqual({ body: { email: 'ada@example' }, warnings: [] });
    const contact = read({ email: ' ada@example ' }, { resource: 'contacts' });
    expect(contact.body).toEqual({});
    expect(contact.warnings).toMatchObject([{ field: 'email', value: 'ada@example' }]);
  });

  it('keeps texts that are too long as a note', () => {
    const long = 'long '.repeat(200).trim();
    const { body, warnings } = read({ 'metadata.message': long, company: long, note: 'Hello.' });
    expect(body).toEqual({ note: `Hello.\n\nCompany: ${long}\n\nMessage: ${long}` });
    expect(warnings).toEqual([
      {
        field: 'company',
        message: 'The text has more than 200 characters. It was kept as a note.',
        value: '',
      },
      {
        field: 'metadata.message',
        message: 'A value of metadata has at most 500 characters. It was kept as a note.',
        value: '',
      },
    ]);
    const user = read({ 'metadata.message': long }, { resource: 'users' });
    expect(user.warnings).toMatchObject([{ value: long }]);
  });

  it('keeps within the limits of tags, metadata and other addresses', () => {
    const tags = Array.from({ length: 25 }, (_, index) => `tag ${index}`);
    const tagged = read({ tags: [...tags, 'x'.repeat(51)].join(',') });
    expect(tagged.body.tags).toEqual(tags.slice(0, 20));
    expect(tagged.warnings.map(({ value }) => value)).toEqual(['x'.repeat(51), tags.slice(20).join(', ')]);

    const keys = Array.from({ length: 60 }, (_, index) => [`metadata.key${index}`, 'x'] as const);
    const many = read(Object.fromEntries(keys));
    expect(Object.keys(many.body.metadata as object)).toHaveLength(50);
    expect(many.warnings).toHaveLength(10);
    expect(read({ [`metadata.${'k'.repeat(41)}`]: 'x' }).warnings).toHaveLength(1);

    const addresses = Array.from({ length: 50 }, (_, index) => `someone.${index}@example.com`);
    const addressed = read({ email: addresses.join(';') });
    expect(addressed.body.other_emails).toEqual(addresses.slice(1, 11));
    expect(addressed.warnings.map(({ value }) => value)).toEqual([addresses.slice(11).join(', ')]);
    const repeated = read({ email: 'ada@example.com; bob@example.com; ADA@example.com' });
    expect(repeated.body).toMatchObject({ email: 'ada@example.com', other_emails: ['bob@example.com'] });
    const user = read({ email: 'ada@example.com; bob@example.com' }, { resource: 'users' });
    expect(user.body.other_emails).toBeUndefined();
    expect(user.warnings).toMatchObject([{ field: 'email', value: 'bob@example.com' }]);
  });

  it('reads metadata as a whole and by its keys, and numbers, lists and objects as texts', () => {
    const metadata = JSON.stringify({ plan: 'free', seats: 5, empty: null, sizes: ['s', 'm'] });
    expect(
      read({ metadata, 'metadata.plan': 'gold', 'metadata.list': ['a', 1], 'metadata.object': { a: 1 } })
        .body,
    ).toEqual({
      metadata: { plan: 'gold', list: 'a, 1', object: '{"a":1}', seats: '5', sizes: '["s","m"]' },
    });
    expect(read({ metadata: 'none of it' }).warnings).toHaveLength(1);
    const { body } = read({ 'metadata.__proto__': 'x', 'metadata.constructor': 'y' });
    expect(Object.entries(body.metadata as object)).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
  });

  it.each([
    ['value.currency alone', { 'value.currency': 'EUR' }, undefined, 0],
    ['an amount alone', { 'value.amount': '100' }, undefined, 1],
    ['a value in one', { value: '1.250,00 €' }, { amount: '1250.00', currency: 'EUR' }, 0],
    [
      'a value as JSON',
      { value: '{"amount":"12.50","currency":"USD"}' },
      { amount: '12.50', currency: 'USD' },
      0,
    ],
  ])('reads %s', (_name, fields, value, warned) => {
    const { body, warnings } = read(fields);
    expect([body.value, warnings.length]).toEqual([value, warned]);
  });

  it('leaves out ids that are not of this service, and a reason without a loss', () => {
    const { body, warnings } = read({
      assigned_user_id: 'Grace',
      lost_reason: 'Price',
      external_id: 'x'.repeat(129),
    });
    expect(body).toEqual({ note: `External id: ${'x'.repeat(129)}` });
    expect(warnings.map(({ field }) => field)).toEqual(['assigned_user_id', 'external_id', 'lost_reason']);
    expect(read({ status: 'lost', lost_reason: 'Price' }).body).toEqual({
      status: 'lost',
      lost_reason: 'Price',
    });
  });

  it('reads instants and yes or no', () => {
    expect(read({ created_at: '2027-01-31 10:00' }).body).toEqual({ created_at: '2027-01-31T10:00:00.000Z' });
    expect(read({ active: 'nein' }, { resource: 'users' }).body).toEqual({ active: false });
  });
});
