import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideAmountStyle, readAmount } from '../../src/spellings/amount.ts';
import { readCurrency } from '../../src/spellings/currency.ts';
import { readFields } from '../../src/spellings/read-fields.ts';
import { readCases } from '../support/cases.ts';

const rows = readCases('15-amounts.csv', ';');

/** The value of a row, read as hooks and imports do. Undefined: it was left out with a warning. */
function valueIn({ Amount, Currency }: Record<string, string>, locale?: string) {
  const given = [
    { field: 'value.amount', value: Amount },
    { field: 'value.currency', value: Currency },
  ];
  const { body, warnings } = readFields(given, { resource: 'leads', locale });
  expect(warnings.length > 0).toBe(body.value === undefined && !['', 'NaN'].includes(Amount ?? ''));
  return body.value;
}

const euros = (amount: string) => ({ amount, currency: 'EUR' });

/** What each row of 15-amounts.csv gives in German and in English. */
const cases: Record<string, [german: object | undefined, english: object | undefined]> = {
  N0: [euros('1250'), euros('1250')],
  N1: [euros('1250.00'), euros('1250.00')],
  N2: [euros('1250.00'), euros('1250.00')],
  N3: [euros('1250.00'), euros('1250.00')],
  N4: [undefined, undefined],
  N5: [euros('1250.00'), euros('1250.00')],
  N6: [euros('1250.00'), euros('1250.00')],
  N7: [euros('1250.00'), euros('1250.00')],
  N8: [euros('1250.5'), euros('1250.5')],
  N9: [undefined, undefined],
  N10: [undefined, undefined],
  N11: [euros('0'), euros('0')],
  N12: [undefined, undefined],
  N13: [euros('100'), euros('100')],
  N14: [undefined, euros('1250')],
  N15: [undefined, undefined],
  N16: [undefined, undefined],
  N17: [euros('1250.00'), euros('1250.00')],
  N18: [undefined, undefined],
  N19: [undefined, undefined],
};

describe('readAmount', () => {
  it.each(rows)('reads $name of 15-amounts.csv: $Amount', (row) => {
    const [german, english] = cases[row.name ?? ''] ?? [];
    expect(valueIn(row, 'de')).toEqual(german);
    expect(valueIn(row, 'en')).toEqual(english);
  });

  it.each<[string, string, string?, string?]>([
    ['1.250.000', '1250000'],
    ['1,250,000.5', '1250000.5'],
    ['12,34,567.00', '1234567.00'],
    ['1 250 000', '1250000'],
    ['1\u202f250,00', '1250.00'],
    ["CHF 1'250.–", '1250', undefined, 'CHF'],
    ['1250,-', '1250'],
    ['1.250,-', '1250'],
    ['1.250,– €', '1250', 'en', 'EUR'],
    ['1.250.-', '1250'],
    ['1.250.000,--', '1250000'],
    ['€1,250', '1250', 'en', 'EUR'],
    ['1250EUR', '1250', undefined, 'EUR'],
    ['US$ 1,250.00', '1250.00', undefined, 'USD'],
    ['$100 CAD', '100', undefined, 'CAD'],
    ['R$ 1.250,00', '1250.00', undefined, 'BRL'],
    ['₹1,25,000', '125000', undefined, 'INR'],
    ['1 250 Kč', '1250', undefined, 'CZK'],
    ['1 250,00 zł', '1250.00', 'pl', 'PLN'],
    ['1.250,00 kr', '1250.00', 'da', 'DKK'],
    ['1250 kr', '1250', 'sv', 'SEK'],
    ['1250 Euro', '1250', undefined, 'EUR'],
    ['٬١٢٥٠', '1250'],
    ['١٬٢٥٠٫٥٠', '1250.50'],
    ['１２５０', '1250'],
    ['0,500', '0.500'],
    ['0.5', '0.5'],
    ['007', '7'],
    ['1.250', '1250', 'de'],
    ['1,250', '1250', 'en'],
    ['12.500', '12500', 'es'],
  ])('reads %j as %s', (text, value, locale, currency) => {
    expect(readAmount(text, locale)).toMatchObject({ value, ...(currency !== undefined && { currency }) });
  });

  it.each<[string, string?]>([
    ['1,250'],
    ['1.250'],
    ['1.250', 'en'],
    ['1,250', 'de'],
    ['1.250', 'fr'],
    ['1.250.00'],
    ['1,25.000,00'],
    ['12 34'],
    ['1,2,3'],
    ['12,50,-'],
    ['-1'],
    ['−1'],
    ['100-'],
    ['$-100'],
    ['1e3'],
    ['1.2k'],
    ['1 Mio.'],
    ['ca. 1250'],
    ['1000-2000'],
    ['1250 USD/month'],
    ['EUR 100 USD'],
    ['1250 kr'],
    ['50%'],
    ['call us'],
    ['1'.repeat(100)],
  ])('leaves out %j with a warning', (text, locale) => {
    expect(readAmount(text, locale)).toEqual({ warning: expect.stringMatching(/^[A-Z].*\.$/) });
  });

  it.each(['', ' ', '-', 'N/A', 'NaN', '#N/A'])('takes %j for blank', (text) => {
    expect(readAmount(text)).toEqual({});
  });

  it('takes from the other amounts of the column what a separator means', () => {
    expect(decideAmountStyle(['1,250', '1.250,00', '12'])).toBe(',');
    expect(decideAmountStyle(['1,250', '1,250.00'])).toBe('.');
    expect(decideAmountStyle(['1,250', '1.250'])).toBeUndefined();
    expect(decideAmountStyle(['1.250,00', '1,250.00'])).toBeUndefined();
    expect(decideAmountStyle(['1.250.000'])).toBe(',');
    expect(decideAmountStyle(rows.map(({ Amount = '' }) => Amount))).toBeUndefined();
    expect(readAmount('1,250', 'de', '.')).toEqual({ value: '1250' });
    expect(readAmount('1,250', 'en', ',')).toEqual({ value: '1.250' });
  });

  it('reads what Intl writes, in every locale', () => {
    const locales = [
      'de',
      'de-CH',
      'en',
      'en-IN',
      'fr',
      'es',
      'it',
      'pt',
      'nl',
      'pl',
      'sv',
      'ja',
      'ar-EG',
      'fa',
      'hi',
    ];
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999 }), fc.constantFrom(...locales), (cents, locale) => {
        const format = new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR' });
        const { value, currency } = readAmount(format.format(cents / 100), locale);
        expect([Number(value), currency]).toEqual([cents / 100, 'EUR']);
      }),
    );
  });

  it('gives only plain decimals, in a few milliseconds', () => {
    const unit = fc.constantFrom(..."0123456789.,' -+()€$eE", 'EUR', '٫', '٠');
    fc.assert(
      fc.property(
        fc.string({ unit, maxLength: 70 }),
        fc.constantFrom(undefined, 'de', 'xx-invalid-'),
        (text, locale) => {
          expect(readAmount(text, locale).value ?? '0').toMatch(/^(0|[1-9]\d*)(\.\d+)?$/);
        },
      ),
    );
    const begin = performance.now();
    for (const part of ['1', '.', '1,', ' ', '€', '1 ', '(']) readAmount(part.repeat(100_000));
    expect(performance.now() - begin).toBeLessThan(200);
  });
});

describe('readCurrency', () => {
  const currencies: Record<string, string | undefined> = {
    N0: 'EUR',
    N1: 'EUR',
    N2: 'EUR',
    N3: 'EUR',
    N4: 'USD',
    N5: 'EUR',
    N6: undefined,
    N7: undefined,
    N8: undefined,
  };

  it.each(readCases('15b-currencies.csv', ';'))('reads $name of 15b-currencies.csv: $Currency', (row) => {
    const currency = currencies[row.name ?? ''];
    expect(readCurrency(row.Currency ?? '')).toBe(currency);
    const given = [
      { field: 'value.amount', value: row.Amount },
      { field: 'value.currency', value: row.Currency },
    ];
    const { body, warnings } = readFields(given, { resource: 'leads' });
    expect(body.value).toEqual(currency === undefined ? undefined : { amount: '100', currency });
    expect(warnings.length).toBe(currency === undefined ? 1 : 0);
  });

  it.each([
    [' eur ', 'EUR'],
    ['US Dollars', 'USD'],
    ['Schweizer Franken', undefined],
    ['£', 'GBP'],
    ['x'.repeat(100_000), undefined],
    ['__proto__', undefined],
  ])('reads %j as %j', (text, currency) => {
    expect(readCurrency(text)).toBe(currency);
  });

  it('knows names and symbols in the locale', () => {
    expect(readCurrency('Schweizer Franken', 'de')).toBe('CHF');
    expect(readCurrency('$', 'en-CA')).toBe('CAD');
    expect(readCurrency('kr', 'nb')).toBe('NOK');
    expect(readCurrency('$', 'not a locale')).toBe('USD');
  });
});

describe('the currency of a value', () => {
  const read = (amount: string, currency: string) =>
    readFields(
      [
        { field: 'value.amount', value: amount },
        { field: 'value.currency', value: currency },
      ],
      { resource: 'leads' },
    );

  it('is that of the field, if the sign beside the amount is also its own', () => {
    expect(read('$100', 'CAD').body.value).toEqual({ amount: '100', currency: 'CAD' });
  });

  it('must not be another one', () => {
    const { body, warnings } = read('$100', 'EUR');
    expect(body).toEqual({});
    const message = 'The amount is in USD, but the currency is EUR.';
    expect(warnings).toEqual([{ field: 'value.amount', message, value: '$100' }]);
  });

  it('decides how many decimals there are', () => {
    expect(read('1000.500', 'KWD').body.value).toEqual({ amount: '1000.500', currency: 'KWD' });
    expect(read('100.00', 'JPY').body.value).toEqual({ amount: '100', currency: 'JPY' });
    expect(read('100.5', 'JPY').warnings).toHaveLength(1);
    expect(read('1'.repeat(16), 'EUR').warnings).toHaveLength(1);
  });
});
