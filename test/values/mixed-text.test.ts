import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeMixed } from '../../src/values/mixed-text.ts';

const text = fc.string({ unit: 'binary', maxLength: 50 });

describe('decodeMixed', () => {
  it('reads UTF-8 as it is', () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(decodeMixed(Buffer.from(given))).toMatchObject({ text: given, foreign: 0 });
      }),
    );
  });

  it('reads each other byte as windows-1252, wherever it stands', () => {
    // 0xC0, 0xC1 and those from 0xF5 on are in no character of UTF-8.
    const foreign = fc.constantFrom(0xc0, 0xc1, 0xf5, 0xfe, 0xff);
    const windows = new TextDecoder('windows-1252');
    fc.assert(
      fc.property(fc.array(fc.tuple(text, foreign)), (parts) => {
        const bytes = parts.flatMap(([part, byte]) => [Buffer.from(part), Buffer.from([byte])]);
        const expected = parts.map(([part, byte]) => part + windows.decode(Uint8Array.of(byte))).join('');
        expect(decodeMixed(Buffer.concat(bytes))).toMatchObject({ text: expected, foreign: parts.length });
      }),
    );
  });

  it.each([
    ['an overlong form', [0xe0, 0x80, 0x80], 'à€€'],
    ['half of a pair', [0xed, 0xa0, 0x80], 'í\u00a0€'],
    ['a code beyond Unicode', [0xf4, 0x90, 0x80, 0x80], 'ô\u0090€€'],
    ['a character that is cut off', [0xe2, 0x82], 'â‚'],
  ])('takes %s for single bytes', (_, bytes, expected) => {
    expect(decodeMixed(Buffer.from(bytes)).text).toBe(expected);
  });

  it('reads texts that are longer than its buffer', () => {
    const long = `${'a'.repeat(65_535)}😀${'é'.repeat(70_000)}`;
    expect(decodeMixed(Buffer.from(long)).text).toBe(long);
  });
});
