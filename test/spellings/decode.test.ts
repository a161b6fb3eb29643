import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText } from '../../src/spellings/decode.ts';

const utf16 = (text: string, isBig = false) => {
  const bytes = Buffer.from(text, 'utf16le');
  return isBig ? bytes.swap16() : bytes;
};

describe('decodeText', () => {
  it.each<[string, Uint8Array, string | undefined, string, string]>([
    ['UTF-8', Buffer.from('Jürgen €'), undefined, 'Jürgen €', 'utf-8'],
    ['UTF-8 with a mark', Buffer.from('\ufeffJürgen'), undefined, 'Jürgen', 'utf-8'],
    ['UTF-16 with a mark', utf16('\ufeffJürgen'), undefined, 'Jürgen', 'utf-16le'],
    ['big-endian UTF-16 with a mark', utf16('\ufeffJürgen', true), undefined, 'Jürgen', 'utf-16be'],
    ['UTF-16 without a mark', utf16('Jürgen'), undefined, 'Jürgen', 'utf-16le'],
    ['big-endian UTF-16 without a mark', utf16('Jürgen', true), undefined, 'Jürgen', 'utf-16be'],
    ['a named charset', Buffer.from('J\xfcrgen \x80', 'latin1'), 'ISO-8859-1', 'Jürgen €', 'windows-1252'],
    ['Mac Roman', Buffer.from('J\x9frgen', 'latin1'), 'macintosh', 'Jürgen', 'macintosh'],
    ['Mac Roman by another name', Buffer.from('J\x9frgen', 'latin1'), 'MacRoman', 'Jürgen', 'macintosh'],
    ['Shift JIS', Buffer.from([0x93, 0xfa, 0x96, 0x7b]), 'Shift_JIS', '日本', 'shift_jis'],
    ['a mark, whatever the name', Buffer.from('\ufeffJürgen'), 'iso-8859-1', 'Jürgen', 'utf-8'],
    ['utf8', Buffer.from('Jürgen'), 'utf8', 'Jürgen', 'utf-8'],
    ['nothing', Buffer.alloc(0), undefined, '', 'utf-8'],
  ])('decodes %s', (_name, bytes, named, text, charset) => {
    expect(decodeText(bytes, named)).toEqual({ text, charset });
  });

  it('falls back to windows-1252, and says so', () => {
    const bytes = Buffer.from('J\xfcrgen M\xfcller, \x80', 'latin1');
    for (const named of [undefined, 'utf-8']) {
      expect(decodeText(bytes, named)).toEqual({
        text: 'Jürgen Müller, €',
        charset: 'windows-1252',
        warning: 'The text is not valid UTF-8. It was read as windows-1252.',
      });
    }
  });

  it('keeps the good characters of damaged UTF-8', () => {
    const bytes = Buffer.concat([Buffer.from('Jürgen, Zoë, '), Buffer.from('M\xfcller', 'latin1')]);
    const { text, charset, warning } = decodeText(bytes);
    expect([text, charset]).toEqual(['Jürgen, Zoë, Müller', 'utf-8']);
    expect(warning).toMatch(/^1 bytes? /);
  });

  it('reads text in an unknown charset as UTF-8, and says so', () => {
    const { text, warning } = decodeText(Buffer.from('Jürgen'), 'klingon');
    expect([text, warning]).toEqual([
      'Jürgen',
      'The charset klingon is unknown. The text was read as UTF-8.',
    ]);
  });

  it('never gives U+FFFD, nor throws, for any bytes', () => {
    const charsets = fc.constantFrom(undefined, 'utf-8', 'windows-1252', 'macintosh', 'x', '');
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), charsets, (bytes, charset) => {
        const hasOwn = Buffer.from(bytes).includes(Buffer.from('\ufffd'));
        expect(decodeText(bytes, charset).text.includes('\ufffd') && !hasOwn).toBe(false);
      }),
    );
  });

  it('decodes a megabyte of damaged text in little time', () => {
    const begin = performance.now();
    decodeText(Buffer.concat([Buffer.from('ü'.repeat(500_000)), Buffer.from([0xfc])]));
    decodeText(Buffer.alloc(1_000_000, 0xfc));
    expect(performance.now() - begin).toBeLessThan(5_000);
  });
});
