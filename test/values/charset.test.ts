import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText, knownCharset } from '../../src/values/charset.ts';

const utf16 = (text: string, isBig = false) => {
  const bytes = Buffer.from(text, 'utf16le');
  return isBig ? bytes.swap16() : bytes;
};

describe('decodeText', () => {
  it.each<[string, Uint8Array, string | undefined, string]>([
    ['UTF-8', Buffer.from('Jürgen €'), undefined, 'Jürgen €'],
    ['UTF-8 with a mark', Buffer.from('\ufeffJürgen'), undefined, 'Jürgen'],
    ['UTF-16 with a mark', utf16('\ufeffJürgen'), undefined, 'Jürgen'],
    ['big-endian UTF-16 with a mark', utf16('\ufeffJürgen', true), undefined, 'Jürgen'],
    ['UTF-16 without a mark', utf16('Jürgen'), undefined, 'Jürgen'],
    ['big-endian UTF-16 without a mark', utf16('Jürgen', true), undefined, 'Jürgen'],
    ['a named charset', Buffer.from('J\xfcrgen \x80', 'latin1'), 'ISO-8859-1', 'Jürgen €'],
    ['Mac Roman', Buffer.from('J\x9frgen', 'latin1'), 'macintosh', 'Jürgen'],
    ['Mac Roman by another name', Buffer.from('J\x9frgen', 'latin1'), 'MacRoman', 'Jürgen'],
    ['Shift JIS', Buffer.from([0x93, 0xfa, 0x96, 0x7b]), 'Shift_JIS', '日本'],
    ['a mark, whatever the name', utf16('\ufeffJürgen'), 'iso-8859-1', 'Jürgen'],
    ['utf8', Buffer.from('Jürgen'), 'utf8', 'Jürgen'],
    ['UTF-8 in a charset that can not be', Buffer.from('Jürgen'), 'utf-16be', 'Jürgen'],
    ['nothing', Buffer.alloc(0), undefined, ''],
  ])('decodes %s', (_name, bytes, named, text) => {
    expect(decodeText(bytes, named && knownCharset(named))).toBe(text);
  });

  it.each([undefined, 'utf-8'])('reads what is not UTF-8 as windows-1252, if it is called %s', (named) => {
    expect(decodeText(Buffer.from('J\xfcrgen M\xfcller, \x80', 'latin1'), named)).toBe('Jürgen Müller, €');
  });

  it('keeps the good characters of damaged UTF-8', () => {
    const bytes = Buffer.concat([Buffer.from('Jürgen, Zoë, '), Buffer.from('M\xfcller', 'latin1')]);
    expect(decodeText(bytes, undefined)).toBe('Jürgen, Zoë, Müller');
  });

  it('never gives U+FFFD, nor throws, for any bytes', () => {
    const charsets = fc.constantFrom(undefined, 'utf-8', 'windows-1252', 'macintosh', 'utf-16le', 'big5');
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), charsets, (bytes, charset) => {
        const hasOwn = Buffer.from(bytes).includes(Buffer.from('\ufffd'));
        expect(decodeText(bytes, charset).includes('\ufffd') && !hasOwn).toBe(false);
      }),
    );
  });

  it('decodes a megabyte of damaged text in little time', () => {
    const begin = performance.now();
    decodeText(Buffer.concat([Buffer.from('ü'.repeat(500_000)), Buffer.from([0xfc])]), undefined);
    decodeText(Buffer.alloc(1_000_000, 0xfc), undefined);
    expect(performance.now() - begin).toBeLessThan(5_000);
  });
});
