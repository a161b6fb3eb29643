import fc from 'fast-check';
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { describe, expect, it } from 'vitest';
import { readPhone } from '../../src/spellings/phone.ts';
import { plainText } from '../../src/spellings/text.ts';

describe('readPhone, for any text', () => {
  const countries = fc.constantFrom(undefined, 'US', 'DE', 'IT', 'GB', 'IN', 'XX');
  const typed = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.string({ unit: fc.constantFrom(...'+0123456789 ()-/.,;x#eE:'), maxLength: 40 }),
    fc.string({
      unit: fc.constantFrom(...'+0123456789٠١٢０１ (0)', 'ext', 'tel:', '00', '+49', ' or '),
      maxLength: 25,
    }),
  );

  it('gives only numbers that libphonenumber calls valid or that are in E.164, and the same when they are read again', () => {
    fc.assert(
      fc.property(typed, countries, (text, country) => {
        const { value, warning } = readPhone(text, country);
        if (value === undefined) return;
        const isWritten = plainText(text).includes(value);
        expect(isWritten || parsePhoneNumberFromString(value)?.isValid()).toBe(true);
        expect(readPhone(value, country)).toEqual({ value });
        if (warning !== undefined) expect(warning).toMatch(/several/);
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    '+',
    '1',
    ' ',
    '(',
    '+1 ',
    '1/',
    '(0)',
    'x1',
    ', 1',
    '1;',
    'a',
    'a.',
    '\u0660',
    '\u202a',
    'ext. ',
  ])('takes a few milliseconds at most, even for %j 100,000 times', (part) => {
    for (const text of [part.repeat(100_000), part.repeat(250 / part.length), `+49 30 ${part.repeat(100)}`]) {
      const begin = performance.now();
      for (let round = 0; round < 10; round += 1) readPhone(text, 'US');
      expect((performance.now() - begin) / 10).toBeLessThan(100);
    }
  });
});
