import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collapseSpaces, isBlank, plainText, trimText } from '../../src/spellings/text.ts';

describe('trimText', () => {
  it.each([
    [' a ', 'a'],
    ['\u00a0a\u202f', 'a'],
    ['\u200ba\u200b', 'a'],
    ['\ufeff\u2060a\u00ad', 'a'],
    ['\u202aa b\u202c', 'a b'],
    ['\u3000\u3164a\t\r\n\0', 'a'],
    ['\u2800', ''],
    ['', ''],
    // What a flag and a heart are made of stays.
    ['\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}', undefined],
    ['\u2764\ufe0f', undefined],
    ['a  b', undefined],
  ])('of %j is %j', (text, trimmed) => {
    expect(trimText(text)).toBe(trimmed ?? text);
  });

  it('removes all that trim() removes, and only at the ends', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const trimmed = trimText(text);
        expect(text).toContain(trimmed);
        expect(trimmed).toBe(trimmed.trim());
        expect(trimText(trimmed)).toBe(trimmed);
        expect(/^[\p{Z}\p{Cc}]|[\p{Z}\p{Cc}]$/u.test(trimmed)).toBe(false);
      }),
    );
  });

  it('takes linear time', () => {
    const begin = performance.now();
    trimText(`${' '.repeat(500_000)}x${' '.repeat(500_000)}`);
    expect(performance.now() - begin).toBeLessThan(1_000);
  });
});

it.each([
  ['  Ada   Example ', 'Ada Example'],
  ['Ada\u00a0\u2009\tExample\r\nLovelace', 'Ada Example Lovelace'],
  ['Ada \u200bExam\u00adple', 'Ada Example'],
  ['\u202bעדה\u202c', 'עדה'],
  ['می\u200cخواهم', 'می\u200cخواهم'],
])('collapseSpaces of %j is %j', (text, collapsed) => {
  expect(collapseSpaces(text)).toBe(collapsed);
});

it.each([
  ...['', ' ', '\u200b', '-', '--', '---', '–', '—', '_', '.', '...', 'n/a', 'N/A', ' N/A ', '#N/A', '#REF!'],
  ...['NULL', 'null', '(null)', '\\N', 'None', 'none', 'NaN', 'nan', 'undefined', '(blank)', 'k. A.', 'N/D'],
])('isBlank takes %j for nothing', (text) => {
  expect(isBlank(text)).toBe(true);
});

it.each(['Null', 'Nan', 'Na', 'NA', 'No', '0', 'x', '- -a', 'N/A Ltd', '?'])('isBlank leaves %j', (text) => {
  expect(isBlank(text)).toBe(false);
});

it.each([
  ['０１２ａ＋', '012a+'],
  ['٠١٢٣٤٥٦٧٨٩', '0123456789'],
  ['۰۱۲۳۴۵۶۷۸۹', '0123456789'],
  ['०१२३४५६७८९', '0123456789'],
  ['๐๑๒๓๔๕๖๗๘๙', '0123456789'],
  ['෦෧෨෩෪෫෬෭෮෯', '0123456789'],
  ['𑜰𑜱𑜲𑜳𑜴𑜵𑜶𑜷𑜸𑜹', '0123456789'],
  ['𝟎𝟏𝟐𝟑', '0123'],
])('plainText of %j is %j', (text, plain) => {
  expect(plainText(text)).toBe(plain);
});

it('plainText knows the digits of every script', () => {
  const digits = Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((text) => /^\p{Nd}$/u.test(text));
  expect(digits.length).toBeGreaterThan(600);
  expect(digits.map(plainText).filter((digit) => !/^\d$/.test(digit))).toEqual([]);
  for (let index = 0; index < digits.length; index += 10) {
    expect(plainText(digits.slice(index, index + 10).join(''))).toBe('0123456789');
  }
});
