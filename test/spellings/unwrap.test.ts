import { describe, expect, it } from 'vitest';
import { readCountry } from '../../src/spellings/country.ts';
import { unwrap } from '../../src/spellings/unwrap.ts';

describe('unwrap', () => {
  it.each([
    ['="0047"', '0047'],
    ['="say ""hi"""', 'say "hi"'],
    ['Conan O&#039;Brien', "Conan O'Brien"],
    ['M&uuml;ller &amp; S&#xf6;hne', 'Müller & Söhne'],
    ['MÃ¼ller', 'Müller'],
    ['Oâ€™Brien', 'O’Brien'],
    ['[{"value":"a@example.com","label":"work"},{"value":"b@example.com"}]', 'a@example.com, b@example.com'],
  ])('reads %j as %j', (given, read) => {
    expect(unwrap(given)).toBe(read);
  });

  it.each([
    '=1+1',
    '="a"&"b"',
    'R&D; a list',
    'https://example.com/?a=1&copy=2',
    'Müller',
    'Ãrea',
    'ÅRSTA',
    '[{"name":"Ada"}]',
    '{"a":"&quot;"}',
    '',
  ])('leaves %j as it is', (text) => {
    expect(unwrap(text)).toBe(text);
  });
});

describe('readCountry', () => {
  it.each([
    ['DE', 'DE'],
    ['gb', 'GB'],
    ['Germany', 'DE'],
    ['Deutschland', 'DE'],
    ['États-Unis', 'US'],
    ['USA', 'US'],
    ['UK', 'GB'],
    ['Atlantis', undefined],
    ['', undefined],
  ])('reads %j as %j', (text, code) => {
    expect(readCountry(text)).toBe(code);
  });
});
