import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExactJson } from '../../src/values/exact-json.ts';

describe('parseExactJson', () => {
  it.each([
    ['9007199254740993', '9007199254740993'],
    ['[9007199254740993, 9007199254740992]', ['9007199254740993', '9007199254740992']],
    ['{"amount": 99999999999999.99}', { amount: '99999999999999.99' }],
    ['{"a": [{"b": 1.50}, -0, 1E+2, 1e400]}', { a: [{ b: '1.50' }, '-0', '1E+2', '1e400'] }],
    ['{"a": 1.0, "a": 2.0}', { a: '2.0' }],
    ['{"a": "1.0", "b": "9:30, 4"}', { a: '1.0', b: '9:30, 4' }],
    ['[true, false, null, "", {}, []]', [true, false, null, '', {}, []]],
  ])('reads %s', (text, value) => {
    expect(parseExactJson(text)).toEqual(value);
  });

  it('keeps a key that JavaScript gives a meaning', () => {
    expect(JSON.stringify(parseExactJson('{"__proto__": {"constructor": 1}}'))).toBe(
      '{"__proto__":{"constructor":"1"}}',
    );
  });

  it('reads every document as JSON.parse does, but for the numbers', () => {
    fc.assert(
      fc.property(fc.json({ depthSize: 'medium' }), (text) => {
        const value: unknown = JSON.parse(text, (_key, member) =>
          typeof member === 'number' ? String(member) : member,
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
