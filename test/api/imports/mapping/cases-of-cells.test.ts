/** The files of test/cases whose cells are unusual, with what its README says. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../support/app.ts';
import type { TestClient } from '../../../support/client.ts';
import { importCase } from '../../../support/import-cases.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

beforeEach(() => app.production.knex.raw('truncate leads, contacts cascade'));

/** The rows of N0, N3 and so on: the header is row 1. */
const rowsOf = (...numbers: number[]) => numbers.map((number) => number + 2);

describe('a case', () => {
  it('13-phones.csv with the default country US', async () => {
    const country = { default_country: 'US' };
    const { people, counts, warned } = await importCase(app, client, '13-phones.csv', '', country);
    expect(counts).toMatchObject({ created: 28, failed: 0 });
    const phones = (...numbers: number[]) => numbers.map((number) => people[`N${number}`]?.phone);
    expect(new Set(phones(0, 1, 2, 3, 4, 21))).toEqual(new Set(['+14155552671']));
    expect(people.N3?.metadata).toEqual({ phone_extension: '12' });
    expect(people.N4?.metadata).toEqual({ phone_extension: '5' });
    expect(new Set(phones(5, 6, 9, 10))).toEqual(new Set(['+41446681800']));
    expect(phones(8, 13, 14, 15)).toEqual([
      '+4930123456',
      '+4915112345678',
      '+491511234567',
      '+4915112345678',
    ]);
    expect(phones(16, 17, 22, 23, 25, 27)).toEqual([
      '+491511234567',
      '+442079460123',
      '+491511234567',
      '+491511234567',
      '+3225111111',
      '+491511234567',
    ]);
    // Not guessed wrong: read rightly, or left out.
    expect([null, '+4930123456']).toContain(people.N7?.phone);
    expect([null, '+491511234567']).toContain(people.N12?.phone);
    expect([null, '+966501234567']).toContain(people.N24?.phone);
    expect([null, '+14155552671']).toContain(people.N26?.phone);
    expect(phones(11, 18, 19, 20)).toEqual([null, null, null, null]);
    const leftOut = [7, 11, 12, 16, 17, 20, 24, 26].filter(
      (number) => people[`N${number}`]?.phone === null || number === 16 || number === 17,
    );
    for (const row of rowsOf(...leftOut)) expect(warned[row]).toEqual(['phone']);
  });

  it('13b-trunk-zero.csv', async () => {
    const { people } = await importCase(app, client, '13b-trunk-zero.csv');
    expect(['A', 'B', 'C', 'D', 'E'].map((name) => people[name]?.phone)).toEqual([
      '+442079460123',
      '+41446681800',
      '+4930123456',
      '+39061234567',
      '+491511234567890',
    ]);
  });

  it('14-emails.csv', async () => {
    const { people, rejected, doubts } = await importCase(app, client, '14-emails.csv');
    const emails = (...numbers: number[]) => numbers.map((number) => people[`N${number}`]?.email);
    expect(emails(0, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12)).toEqual([
      'ada@example.com',
      'ada3@example.com',
      'ada4@example.com',
      'ada5@example.com',
      'ada6@example.com',
      'ada7@example.com',
      'ada8@example.com',
      expect.stringMatching(/^ada9@(exämple|xn--exmple-cua)\.de$/),
      expect.stringMatching(/^ada10@(exämple|xn--exmple-cua)\.de$/),
      "o'brien@example.com",
      'ada+tag@example.com',
    ]);
    expect(people.N1?.email).toMatch(/^ada\.b@example\.com$/i);
    expect(people.N5?.other_emails).toEqual(['ada6b@example.com']);
    expect(people.N6?.other_emails).toEqual(['ada7b@example.com']);
    expect(rejected).toEqual(expect.arrayContaining(rowsOf(13, 14)));
    expect(doubts).toMatchObject([{ code: 'failing_rows' }]);
  });

  it.each([
    ['de', 14],
    ['en', 2],
  ])('15-amounts.csv with the locale %s', async (locale, _unclear) => {
    const { people, warned, counts } = await importCase(app, client, '15-amounts.csv', '', { locale });
    expect(counts).toMatchObject({ created: 20, failed: 0 });
    const amounts = (...numbers: number[]) =>
      numbers.map((number) => (people[`N${number}`]?.value as { amount: string } | null)?.amount);
    expect(new Set(amounts(0, 1, 2, 3, 5, 6, 7))).toEqual(new Set(['1250.00']));
    expect(amounts(8)).toEqual(['1250.50']);
    for (const row of rowsOf(9, 10, 12, 16, 19)) expect(warned[row]).toEqual(['Amount']);
    expect(amounts(9, 10, 12)).toEqual([undefined, undefined, undefined]);
    // In German, it could be thousands or decimals.
    expect(amounts(14)).toEqual([locale === 'de' ? undefined : '1250.00']);
    expect(warned[16]).toEqual(locale === 'de' ? ['Amount'] : undefined);
  });

  it('15b-currencies.csv', async () => {
    const { people, warned } = await importCase(app, client, '15b-currencies.csv');
    const currencies = Array.from(
      { length: 9 },
      (_, number) => (people[`N${number}`]?.value as { currency: string } | null)?.currency,
    );
    expect(currencies).toEqual(['EUR', 'EUR', 'EUR', 'EUR', 'USD', 'EUR', undefined, undefined, undefined]);
    expect(Object.keys(warned).map(Number)).toEqual(rowsOf(6, 7, 8));
  });

  it('16-dates.csv with the locale de', async () => {
    const { people, warned, counts } = await importCase(app, client, '16-dates.csv', '', { locale: 'de' });
    expect(counts).toMatchObject({ created: 17, failed: 0 });
    const dates = (...numbers: number[]) => numbers.map((number) => people[`N${number}`]?.expected_close_on);
    expect(new Set(dates(0, 1, 3, 5, 6, 9, 10))).toEqual(new Set(['2027-01-31']));
    expect(new Set(dates(7, 8))).toEqual(new Set(['2027-01-31']));
    expect(new Set(dates(2, 4, 11, 12, 13, 14))).toEqual(new Set([null]));
    expect(Object.keys(warned).map(Number)).toEqual(rowsOf(2, 4, 11, 12, 13, 14));
  });

  it('17-lead-status.csv', async () => {
    const { people, warned, counts } = await importCase(app, client, '17-lead-status.csv');
    expect(counts).toMatchObject({ created: 10, failed: 0, warned: 5 });
    const statuses = Array.from({ length: 10 }, (_, number) => people[`N${number} X`]?.status);
    expect(statuses).toEqual(['new', 'new', 'new', 'qualified', 'won', 'new', 'lost', 'new', 'new', 'new']);
    expect(Object.keys(warned).map(Number)).toEqual(rowsOf(0, 2, 5, 7, 8));
    expect(people['N0 X']?.metadata).toEqual({ original_status: 'Open - Not Contacted' });
  });

  it('17b-lead-source.csv', async () => {
    const { people, counts } = await importCase(app, client, '17b-lead-source.csv');
    expect(counts).toMatchObject({ created: 11, failed: 0 });
    expect(people['N1 X']).toMatchObject({ source: 'website' });
    expect(people['N2 X']).toMatchObject({ source: 'website', source_detail: 'Facebook' });
    expect(people['N3 X']).toMatchObject({ source: 'referral', source_detail: 'Partner Referral' });
    expect(people['N8 X']).toMatchObject({ source: 'manual' });
  });

  it('18-whitespace.csv', async () => {
    const { people, counts, rejected } = await importCase(app, client, '18-whitespace.csv');
    expect(people).toEqual({
      'Ada Example': expect.objectContaining({
        email: 'ada@example.com',
        company: 'Engines',
        external_id: '4711',
        tags: ['vip', 'a', 'b'],
      }),
    });
    expect(counts).toMatchObject({ created: 1, failed: 4 });
    expect(rejected).toEqual([3, 4, 5, 6]);
  });
});
