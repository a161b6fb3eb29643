import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideDateOrder, readDate, readInstant } from '../../src/spellings/date.ts';
import { readCases } from '../support/cases.ts';

const rows = readCases('16-dates.csv', ';');
const DAY = '2027-01-31';

/** What each row of 16-dates.csv gives in German and in American English. Undefined: it is left out with a warning. */
const cases: Record<string, [german: string | undefined, american: string | undefined]> = {
  N0: [DAY, DAY],
  N1: [DAY, undefined],
  N2: [undefined, DAY],
  N3: [DAY, undefined],
  N4: [undefined, '2027-01-02'],
  N5: [DAY, DAY],
  N6: [DAY, DAY],
  N7: [DAY, DAY],
  N8: [DAY, DAY],
  N9: [DAY, DAY],
  N10: [DAY, DAY],
  N11: [undefined, undefined],
  N12: [undefined, undefined],
  N13: [undefined, undefined],
  N14: [undefined, undefined],
  N15: [undefined, undefined],
  N16: [DAY, DAY],
};

describe('readDate', () => {
  it.each(rows)('reads $name of 16-dates.csv: $["Close Date"]', (row) => {
    const { name = '', 'Close Date': text = '' } = row;
    const [german, american] = cases[name] ?? [];
    for (const [locale, value] of [
      ['de', german],
      ['en-US', american],
    ] as const) {
      const reading = readDate(text, locale);
      expect(reading.value).toBe(value);
      expect(reading.warning !== undefined).toBe(value === undefined && text !== '');
    }
  });

  it.each<[string, string?]>([
    ['31.01.2027'],
    ['31.1.2027', 'de'],
    ['31. 1. 2027', 'cs'],
    ['31/01/2027', 'en-GB'],
    ['31-01-2027', 'nl'],
    ['31 01 2027'],
    ['01/31/2027', 'en-US'],
    ['1/31/2027 3:45 PM', 'en-US'],
    ['31.01.2027 15:45 Uhr', 'de'],
    ['2027.01.31'],
    ['2027年1月31日', 'ja'],
    ['2027. 1. 31.', 'ko'],
    ['20270131'],
    ['２０２７-０１-３１'],
    ['٣١/٠١/٢٠٢٧', 'ar-EG'],
    ['31 January 2027'],
    ['January 31st, 2027'],
    ['Sunday, January 31, 2027'],
    ['Sun, 31 Jan 2027 10:00:00 +0000'],
    ['31-JAN-2027'],
    ['31. Januar 2027', 'de'],
    ['31. Januar 2027'],
    ['31 janvier 2027', 'fr'],
    ['31 janv. 2027'],
    ['31 de enero de 2027', 'es'],
    ['31 gennaio 2027', 'it'],
    ['31 de janeiro de 2027', 'pt'],
    ['31 januari 2027', 'nl'],
    ['31 stycznia 2027', 'pl'],
    ['dim. 31 janv. 2027', 'fr'],
    ['2027-01-31T23:30:00-05:00'],
    [' 2027-01-31\u00a0'],
  ])('reads %j', (text, locale) => {
    expect(readDate(text, locale)).toEqual({ value: DAY });
  });

  it.each<[string, string?]>([
    ['1/2/2027'],
    ['1.2.2027'],
    ['1/2/2027', 'ja'],
    ['1-2-2027', 'de'],
    ['31/01/2027', 'en-US'],
    ['01/31/2027', 'de'],
    ['31/13/2027'],
    ['32.01.2027', 'de'],
    ['29.02.2027', 'de'],
    ['31/01/27', 'de'],
    ['31 Jan 27'],
    ['January 2027'],
    ['Q1 2027'],
    ['46418'],
    ['1801353600'],
    ['0000-00-00'],
    ['2027-02-30'],
    ['2027-1-32'],
    ['mar. 2 févr. 2027'],
    ['tomorrow'],
    ['31 Foo 2027'],
    ['2027'],
    ['x'.repeat(10_000)],
  ])('leaves out %j with a warning', (text, locale) => {
    expect(readDate(text, locale)).toEqual({ warning: expect.stringMatching(/^[A-Z].*\.$/) });
  });

  it('takes from the locale, or from the other dates of the column, which number is the day', () => {
    expect(readDate('1.2.2027', 'de')).toEqual({ value: '2027-02-01' });
    expect(readDate('1/2/2027', 'en-GB')).toEqual({ value: '2027-02-01' });
    expect(readDate('1/2/2027', 'en-US')).toEqual({ value: '2027-01-02' });
    expect(decideDateOrder(['1/2/2027', '31/1/2027 10:00'])).toBe('day-first');
    expect(decideDateOrder(['1/2/2027', '1/31/2027', ''])).toBe('month-first');
    expect(decideDateOrder(['1/2/2027', '2027-01-31'])).toBeUndefined();
    expect(decideDateOrder(rows.map((row) => row['Close Date'] ?? ''))).toBeUndefined();
    expect(readDate('1/2/2027', 'de', 'month-first')).toEqual({ value: '2027-01-02' });
    expect(readDate('1/2/2027', undefined, 'day-first')).toEqual({ value: '2027-02-01' });
  });

  it('reads what Intl writes, in every locale', () => {
    const locales = [
      'de',
      'en-US',
      'en-GB',
      'fr',
      'es',
      'it',
      'pt-BR',
      'nl',
      'pl',
      'sv',
      'cs',
      'ja',
      'ko',
      'hu',
    ];
    const days = fc.date({ min: new Date('1990-01-01'), max: new Date('2090-12-31'), noInvalidDate: true });
    const styles = fc.constantFrom('numeric' as const, 'long' as const);
    fc.assert(
      fc.property(days, styles, fc.constantFrom(...locales), (date, month, locale) => {
        const options = { year: 'numeric', month, day: 'numeric', timeZone: 'UTC' } as const;
        const text = new Intl.DateTimeFormat(locale, options).format(date);
        expect([text, readDate(text, locale).value]).toEqual([text, date.toISOString().slice(0, 10)]);
      }),
      { numRuns: 500 },
    );
  });
});

describe('readInstant', () => {
  it.each<[string, string, string?]>([
    ['2027-01-31', '2027-01-31T00:00:00.000Z'],
    ['2027-01-31 10:30', '2027-01-31T10:30:00.000Z'],
    ['2027-01-31T10:30:15.123456Z', '2027-01-31T10:30:15.123Z'],
    ['2027-01-31T10:30:15+0100', '2027-01-31T09:30:15.000Z'],
    ['2027-01-31 10:30:15-05', '2027-01-31T15:30:15.000Z'],
    ['2027-01-31 10:30:15 UTC', '2027-01-31T10:30:15.000Z'],
    ['31.01.2027, 10:30:15', '2027-01-31T10:30:15.000Z', 'de'],
    ['1/31/2027 12:05 AM', '2027-01-31T00:05:00.000Z', 'en-US'],
    ['1/31/2027, 12:05 p.m.', '2027-01-31T12:05:00.000Z', 'en-US'],
    ['Jan 31, 2027 at 3:45 PM', '2027-01-31T15:45:00.000Z'],
    ['Sun, 31 Jan 2027 10:00:00 GMT', '2027-01-31T10:00:00.000Z'],
    ['1801353600', '2027-01-31T00:00:00.000Z'],
    ['1801353600000', '2027-01-31T00:00:00.000Z'],
  ])('reads %j as %s', (text, value, locale) => {
    expect(readInstant(text, locale)).toEqual({ value });
  });

  it.each([
    '2027-02-30 10:00',
    '2027-01-31 25:00',
    '2027-01-31 10:61',
    '31/01/27 10:00',
    'now',
    '10:30',
    '2027-01-31 10:30 CET',
  ])('leaves out %j with a warning', (text) => {
    expect(readInstant(text)).toEqual({ warning: expect.stringMatching(/^[A-Z].*\.$/) });
  });

  it('never throws, and takes a few milliseconds', () => {
    const unit = fc.constantFrom(...'0123456789-/.: TZ+,', 'Jan', 'PM', '年', '\ud800');
    fc.assert(
      fc.property(
        fc.string({ unit, maxLength: 70 }),
        fc.constantFrom(undefined, 'de', 'th', '!'),
        (text, locale) => {
          const { value } = readInstant(text, locale);
          if (value !== undefined) expect(new Date(value).toISOString()).toBe(value);
          expect(readDate(text, locale).value ?? DAY).toMatch(/^\d{4}-\d\d-\d\d$/);
        },
      ),
      { numRuns: 2_000 },
    );
    const begin = performance.now();
    for (const part of ['1', '1/', ' ', 'Jan ', 'T1:00', '年']) readInstant(part.repeat(100_000));
    expect(performance.now() - begin).toBeLessThan(200);
  });
});
