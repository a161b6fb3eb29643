import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactNumber, parseExactJson } from '../../src/values/exact-json.ts';

const number = (source: string) => new ExactNumber(source);

describe('parseExactJson', () => {
  it.each([
    ['9007199254740993', number('9007199254740993')],
    ['[9007199254740993, 9007199254740992]', [number('9007199254740993'), number('9007199254740992')]],
    ['{"amount": 99999999999999.99}', { amount: number('99999999999999.99') }],
    [
      '{"a": [{"b": 1.50}, -0, 1E+2, 1e400]}',
      { a: [{ b: number('1.50') }, number('-0'), number('1E+2'), number('1e400')] },
    ],
    ['{"a": 1.0, "a": 2.0}', { a: number('2.0') }],
    ['{"a": "1.0", "b": "9:30, 4"}', { a: '1.0', b: '9:30, 4' }],
    ['[true, false, null, "", {}, []]', [true, false, null, '', {}, []]],
  ])('reads %s', (text, value) => {
    expect(parseExactJson(text)).toEqual(value);
  });

  it('keeps a key that JavaScript gives a meaning', () => {
    expect(JSON.stringify(parseExactJson('{"__proto__": {"constructor": 1}}'))).toBe(
      '{"__proto__":{"constructor":1}}',
    );
  });

  it('reads every document as JSON.parse does, but for the numbers', () => {
    fc.assert(
      fc.property(fc.json({ depthSize: 'medium' }), (text) => {
        const value: unknown = JSON.parse(text, (_key, member) =>
          typeof member === 'number' ? number(String(member)) : member,
        );
        // JSON.stringify, which wrote the text, writes numbers as String() does.
        expect(parseExactJson(text)).toStrictEqual(value);
      }),
    );
  });

  it.each(['', '{', '[01]', '[1.]', '[.5]', '[+1]', '[0x10]', '[1_000]', '{"a": NaN}', '1 2'])(
    'rejects %j',
    (text) => {
      expect(() => parseExactJson(text)).toThrow(SyntaxError);
    },
  );

  it('rejects what is nested too deeply to visit', () => {
    const levels = 500_000;
    expect(() => parseExactJson('['.repeat(levels) + ']'.repeat(levels))).toThrow(SyntaxError);
  });
});

describe('an exact number', () => {
  it.each([
    ['1.50', '1.50'],
    ['-0.5', '-0.5'],
    ['1.5e3', '1500'],
    ['4.91511234567E11', '491511234567'],
    ['-1.25e1', '-12.5'],
    ['100e-1', '10'],
    ['1e-3', '0.001'],
    ['1e400', '1e400'],
  ])('%s is %s as a text, and prints as it is', (source, text) => {
    expect(String(number(source))).toBe(text);
    expect(JSON.stringify([number(source)])).toBe(`[${source}]`);
  });

  it('has the value that JavaScript gives it', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: -25, max: 25 }), (digits, exponent) => {
        const source = `${digits}e${exponent}`;
        expect(String(number(source))).toMatch(/^-?\d+(?:\.\d+)?$/);
        expect(Number(String(number(source)))).toBe(Number(source));
      }),
    );
  });
});
