import { describe, expect, it } from 'vitest';
import { isCountry, readPhone } from '../../src/spellings/phone.ts';
import { readCases } from '../support/cases.ts';

/** What a text in one of the case files gives. A value alone means that there is no warning. */
type Expected = [value: string | undefined, extension?: string | undefined, hasWarning?: boolean];

const US = '+14155552671';
const CH = '+41446681800';

const cases: Record<string, Expected> = {
  N0: [US],
  N1: [US],
  N2: [US],
  N3: [US, '12'],
  N4: [US, '5'],
  N5: [CH],
  N6: [CH],
  N7: [undefined, undefined, true],
  N8: ['+4930123456'],
  N9: [CH],
  N10: [CH],
  N11: [undefined, undefined, true],
  N12: [undefined, undefined, true],
  N13: ['+4915112345678'],
  N14: ['+491511234567'],
  N15: ['+4915112345678'],
  N16: ['+491511234567', undefined, true],
  N17: ['+442079460123', undefined, true],
  N18: [undefined],
  N19: [undefined],
  N20: [undefined, undefined, true],
  N21: [US],
  N22: ['+491511234567'],
  N23: ['+491511234567'],
  N24: ['+966501234567'],
  N25: ['+3225111111'],
  N26: [US],
  N27: ['+491511234567'],
};

const shown = (text: string, country?: string): Expected => {
  const { value, extension, warning } = readPhone(text, country);
  return [value, extension, warning !== undefined];
};

describe('readPhone', () => {
  it.each(readCases('13-phones.csv'))('reads $name of 13-phones.csv: $phone', ({ name = '', phone = '' }) => {
    const [value, extension, hasWarning = false] = cases[name] ?? [];
    expect(shown(phone, 'US')).toEqual([value, extension, hasWarning]);
  });

  it.each([
    ['A', '+442079460123'],
    ['B', CH],
    ['C', '+4930123456'],
    ['D', '+39061234567'],
    ['E', '+491511234567890'],
  ])('drops the trunk zero of %s in 13b-trunk-zero.csv', (name, value) => {
    const row = readCases('13b-trunk-zero.csv').find((each) => each.name === name);
    expect(readPhone(row?.phone ?? '')).toEqual({ value });
  });

  it.each<[string, string, string?]>([
    // A spreadsheet dropped the plus.
    ['4915112345678', '+4915112345678', 'DE'],
    ['491511234567', '+491511234567', 'DE'],
    ['447911123456', '+447911123456', 'GB'],
    // Words on the keys of a phone.
    ['1-800-FLOWERS', '+18003569377', 'US'],
    ['+1 (888) 4-ENGINE', '+18884364463'],
    ['070 123 45 67 (Axel)', '+46701234567', 'SE'],
    // Trunk zeros.
    ['+44(0)20-7946-0123', '+442079460123'],
    ['0044 (0)20 7946 0123', '+442079460123'],
    ['+44 (020) 7946 0123', '+442079460123'],
    ['+44 020 7946 0123', '+442079460123'],
    ['+44 [0] 20 7946 0123', '+442079460123'],
    ['+33 (0)1 23 45 67 89', '+33123456789'],
    ['+46 (0)8-123 456 78', '+46812345678'],
    ['+81 (0)90-1234-5678', '+819012345678'],
    ['+36 (06) 30 123 4567', '+36301234567'],
    ['+225 (0)7 07 12 34 56', '+2250707123456'],
    ['+52 1 55 1234 5678', '+525512345678'],
    ['+5215512345678', '+525512345678'],
    ['+39 (0)6 1234567', '+39061234567'],
    ['+39 (0)35 1234567', '+390351234567'],
    ['+39 (02) 1234 5678', '+390212345678'],
    ['(0)30 123456', '+4930123456', 'DE'],
    // Prefixes.
    ['011 44 20 7946 0123', '+442079460123'],
    ['011 44 20 7946 0123', '+442079460123', 'US'],
    ['0114 496 0000', '+441144960000', 'GB'],
    ['011 2345 6789', '+911123456789', 'IN'],
    ['011 1234567', '+390111234567', 'IT'],
    ['++49 30 123456', '+4930123456'],
    ['+ 49 30 123456', '+4930123456'],
    ['+0049 30 123456', '+4930123456'],
    ['(+49) 30 123456', '+4930123456'],
    ['(0049) 30 123456', '+4930123456'],
    ['966501234567+', '+966501234567'],
    // Separators.
    ['+49\u00a0151\u200912345678', '+4915112345678'],
    ['+49–151—1234‑5678', '+4915112345678'],
    ['+49 (151) 123/45678', '+4915112345678'],
    ['+1~415•555·2671', US],
    ['+49 151 12345678.', '+4915112345678'],
    // Digits of other scripts.
    ['+۴۹ ۱۵۱ ۱۲۳۴۵۶۷۸', '+4915112345678'],
    ['+४९ १५१ १२३४५६७८', '+4915112345678'],
    ['+๔๙ ๑๕๑ ๑๒๓๔๕๖๗๘', '+4915112345678'],
    // Labels and wrappings.
    ['TEL:+49-30-123456', '+4930123456'],
    ['Tel. 030/123456', '+4930123456', 'DE'],
    ['Tel.: +49 30 123456', '+4930123456'],
    ['whatsapp:+14155552671', US],
    ['Büro (Zentrale): +49 30 123456', '+4930123456'],
    ['Mobile +49 151 12345678', '+4915112345678'],
    ['+49 151 12345678 (mobil)', '+4915112345678'],
    ['+1 415 555 2671 mobile', US],
    ['="+49 30 123456"', '+4930123456'],
    ['"+49 30 123456"', '+4930123456'],
    ['’+49 30 123456', '+4930123456'],
    ['\u202d+49 30\u200e 123456\u202c', '+4930123456'],
    // Numbers that became decimals.
    ['+4915112345678.0', '+4915112345678'],
    ['4155552671.0', US, 'US'],
    // National numbers.
    ['0151 12345678', '+4915112345678', 'DE'],
    ['0151 12345678', '+4915112345678', 'de'],
    ['1 (415) 555-2671', US, 'US'],
    ['8 (495) 123-45-67', '+74951234567', 'RU'],
    ['06 1234567', '+39061234567', 'IT'],
    ['919876543210', '+919876543210', 'IN'],
  ])('reads %j as %s', (text, value, country) => {
    expect(readPhone(text, country)).toEqual({ value });
  });

  it.each([
    ['+1 415 555 2671 extension 12', '12'],
    ['+1 415 555 2671 EXT12', '12'],
    ['+1 415 555 2671 #12', '12'],
    ['+1 415 555 2671 (ext. 12)', '12'],
    ['tel:+1-415-555-2671;ext=12', '12'],
    ['+1 415 555 2671,,12', '12'],
    ['+1 415 555 2671, 12', '12'],
    ['+1 415 555 2671 Durchwahl 12', '12'],
    ['+1 415 555 2671 poste 0012', '0012'],
    ['+1 415 555 2671 interno: 12', '12'],
    ['+1 415 555 2671 ext.: 12', '12'],
    ['+1 415 555 2671 intern 12', '12'],
    ['+1 415 555 2671 (12)', '12'],
  ])('keeps the extension of %j', (text, extension) => {
    expect(readPhone(text)).toEqual({ value: US, extension });
  });

  it.each<[string, string, string?]>([
    ['+49 30 123456 or +49 151 12345678', '+4930123456'],
    ['+49 30 123456 / +49 151 12345678', '+4930123456'],
    ['+49 30 123456, +49 151 12345678', '+4930123456'],
    ['+49 30 123456 +49 151 12345678', '+4930123456'],
    ['+49 30 123456\n+49 151 12345678', '+4930123456'],
    ['030 123456, 0151 12345678', '+4930123456', 'DE'],
    ['030 123456 | 0151 12345678', '+4930123456', 'DE'],
    ['030 123456 oder 0151 12345678', '+4930123456', 'DE'],
    ['044 668 18 00/01', CH, 'CH'],
    ['Tel: 030 123456; Fax: 030 123457', '+4930123456', 'DE'],
    ['415-555-2671 / 415-555-2672', US, 'US'],
  ])('takes the first of the numbers in %j, and says so', (text, value, country) => {
    expect(readPhone(text, country)).toEqual({ value, warning: expect.stringContaining('several') });
  });

  it.each<[string, string?]>([
    ['0151 12345678'],
    ['491511234567'],
    ['1-800-FLOWER', 'US'],
    ['+49 800 FLOWERS'],
    ['4.91512E+12', 'DE'],
    ['4,91512E+12', 'DE'],
    ['1.4155552671E10', 'US'],
    ['0', 'US'],
    ['0000000000', 'DE'],
    ['+1 000 000 0000'],
    ['112', 'DE'],
    ['+49'],
    ['+'],
    ['call me', 'US'],
    ['030 12345 / 12346', 'DE'],
    ['+1 415 555 26711'],
    ['030 123456', 'XX'],
    ['https://example.com/4155552671', 'US'],
  ])('leaves out %j with a warning', (text, country) => {
    expect(readPhone(text, country)).toEqual({ warning: expect.stringMatching(/^[A-Z].*\.$/) });
  });

  it.each(['', ' ', '-', '--', 'n/a', 'N/A', 'NULL', '#N/A', '\u200b', '(none)'])(
    'takes %j for blank',
    (text) => {
      expect(readPhone(text, 'US')).toEqual({});
    },
  );
});

it('isCountry knows countries by their two letters', () => {
  expect([isCountry('DE'), isCountry('XX'), isCountry('de'), isCountry('')]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
