import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEmails, toAsciiEmail } from '../../src/spellings/email.ts';
import { readCases } from '../support/cases.ts';

/** The addresses of the rows of 14-emails.csv. Undefined: none can be read. */
const cases: Record<string, string | undefined> = {
  N0: 'ada@example.com',
  N1: 'ADA.B@Example.COM',
  N2: 'ada3@example.com',
  N3: 'ada4@example.com',
  N4: 'ada5@example.com',
  N5: 'ada6@example.com',
  N6: 'ada7@example.com',
  N7: 'ada8@example.com',
  N8: 'ada9@xn--exmple-cua.de',
  N9: undefined,
  N10: 'ada10@xn--exmple-cua.de',
  N11: "o'brien@example.com",
  N12: 'ada+tag@example.com',
  N13: undefined,
  N14: undefined,
  N15: undefined,
  N16: 'ada..15@example.com',
  N17: 'ada16@example.c',
  N18: 'ada17@example.com',
  N19: 'ada18@example.com',
  N20: undefined,
  N21: 'ada20@example.com',
  N22: 'ada21@example.com',
  N23: '.ada22@example.com',
  N24: undefined,
  N25: undefined,
  N26: undefined,
  N27: undefined,
  N28: undefined,
  N29: 'info@xn--bcher-kva.example',
  N30: undefined,
  N31: 'ada-@example.com',
  N32: 'ada@sub.example.co.uk',
  N33: undefined,
  N34: 'ISTANBUL@example.com',
  N35: 'istanbul@example.com',
};

const others: Record<string, string[]> = { N5: ['ada6b@example.com'], N6: ['ada7b@example.com'] };

describe('readEmails', () => {
  it.each(readCases('14-emails.csv'))('reads $name of 14-emails.csv: $email', ({ name = '', email = '' }) => {
    const reading = readEmails(email);
    expect([reading.value, reading.others]).toEqual([cases[name], others[name] ?? []]);
    const isBlank = ['N26', 'N27'].includes(name);
    const isWarned = reading.value === undefined ? !isBlank : reading.others.length > 0;
    expect(reading.warning !== undefined).toBe(isWarned);
  });

  it.each([
    ['mailto:ada@example.com?subject=Hello', 'ada@example.com'],
    ['[ada@example.com](mailto:ada@example.com)', 'ada@example.com'],
    ['[Ada](ada@example.com)', 'ada@example.com'],
    ['ada@example.com#mailto:ada@example.com#', 'ada@example.com'],
    ['Ada#mailto:ada@example.com#', 'ada@example.com'],
    ['ada%40example.com', 'ada@example.com'],
    ['Ada Example ada@example.com', 'ada@example.com'],
    ['o’brien@example.com', "o'brien@example.com"],
    ['<mailto:ada@example.com>', 'ada@example.com'],
    ['<mailto:ada@example.com|ada@example.com>', 'ada@example.com'],
    ['Email: ada@example.com', 'ada@example.com'],
    ['E-Mail: ada@example.com', 'ada@example.com'],
    ['ada@example.com (work)', 'ada@example.com'],
    ['"ada@example.com"', 'ada@example.com'],
    ["'ada@example.com'", 'ada@example.com'],
    ["'ada@example.com", 'ada@example.com'],
    ['="ada@example.com"', 'ada@example.com'],
    ['* Work: ada@example.com', 'ada@example.com'],
    ['SMTP:ada@example.com', 'ada@example.com'],
    ['[ada@example.com]', 'ada@example.com'],
    ['ada@example.com,', 'ada@example.com'],
    ['ada @ example.com', 'ada@example.com'],
    ['\ufeffada@example.com\u00a0', 'ada@example.com'],
    ['ada\u200b@example.com', 'ada@example.com'],
    ['ada@example.com; ADA@example.com', 'ada@example.com'],
    ['ada@例子.广告', 'ada@xn--fsqu00a.xn--4rr70v'],
    ['ada@MÜLLER-Büro.de', 'ada@xn--mller-bro-q9ag.de'],
    ['ada@exämple.de.', 'ada@xn--exmple-cua.de'],
    ['dept/ada@example.com', 'dept/ada@example.com'],
  ])('reads %j as %s', (text, value) => {
    expect(readEmails(text)).toEqual({ value, others: [] });
  });

  it.each([
    ['Ada Example <ada@example.com>', 'Ada Example'],
    ['"Example, Ada" <ada@example.com>', 'Example, Ada'],
    ['Ada  Example<mailto:ada@example.com>', 'Ada Example'],
    ['Ada (Engines) <ada@example.com>', 'Ada'],
  ])('reads the name in %j', (text, name) => {
    expect(readEmails(text)).toEqual({ value: 'ada@example.com', name, others: [] });
  });

  it.each([
    'ada@example.com bob@example.com',
    'ada@example.com\nbob@example.com',
    'ada@example.com ::: bob@example.com',
    'ada@example.com | bob@example.com',
    'ada@example.com / bob@example.com',
    'ada@example.com/bob@example.com',
    'ada@example.com or bob@example.com',
    'ada@example.com - bob@example.com',
    'Ada <ada@example.com>, Bob <bob@example.com>',
    'Ada <ada@example.com>; bob@example.com',
    'Work: ada@example.com, Home: bob@example.com',
  ])('reads both addresses in %j', (text) => {
    const { value, others, warning } = readEmails(text);
    expect([value, others]).toEqual(['ada@example.com', ['bob@example.com']]);
    expect(warning).toContain('several');
  });

  it('uses the address that can be read, and says so', () => {
    expect(readEmails('nobody; ada@example.com')).toEqual({
      value: 'ada@example.com',
      others: [],
      warning: 'Part of this text is not an email address.',
    });
  });

  it.each([
    'ada(at)example.com',
    'ada@example',
    'ada@@example.com',
    'ada@exa mple.com',
    'ada@example.com bob',
    'ada@gmail,com',
    'ada',
    `${'a'.repeat(65)}@example.com`,
    `ada@${'a.'.repeat(130)}com`,
    'x'.repeat(10_000),
  ])('leaves out %j with a warning', (text) => {
    expect(readEmails(text)).toEqual({ others: [], warning: expect.stringMatching(/^[A-Z].*\.$/) });
  });

  it('gives only addresses that stay the same when they are read again, in a few milliseconds', () => {
    const unit = fc.constantFrom(...'aÄß@.-_+<>"\'(),;:/| \n0١。', 'mailto:', 'example.com', '@example.com');
    const text = fc.oneof(
      fc.string({ unit, maxLength: 60 }),
      fc.string({ unit: 'binary' }),
      fc.emailAddress(),
    );
    fc.assert(
      fc.property(text, (given) => {
        const { value, others } = readEmails(given);
        for (const address of [value, ...others].filter((each) => each !== undefined)) {
          expect(toAsciiEmail(address)).toBe(address);
          expect(address).toMatch(/^[\x21-\x7e]+@[\x21-\x7e]+\.[\x21-\x7e]+$/);
        }
      }),
      { numRuns: 5_000 },
    );
    for (const part of ['a@', '@', '<', '<a', '(', 'a@b.c ', 'a@b/', ' or ', '. ', 'a: ', ',']) {
      const begin = performance.now();
      readEmails(part.repeat(Math.floor(5_000 / part.length)));
      expect(performance.now() - begin).toBeLessThan(100);
    }
  });
});

describe('toAsciiEmail', () => {
  it.each([
    ['Ada@München.DE', 'Ada@xn--mnchen-3ya.de'],
    ['Ada@Example.COM', 'Ada@Example.COM'],
    ['ada@xn--mnchen-3ya.de', 'ada@xn--mnchen-3ya.de'],
    ['ada@straße.de', 'ada@xn--strae-oqa.de'],
    ['ada@münchen', undefined],
    ['ada@mün chen.de', undefined],
    ['ada@mün/chen.de', undefined],
    ['ada@münchen.de:80', undefined],
    ['ä@münchen.de', undefined],
    ['ada@127.0.0.1', undefined],
    ['@münchen.de', undefined],
    ['münchen.de', undefined],
    ['', undefined],
  ])('of %j is %j', (email, ascii) => {
    expect(toAsciiEmail(email)).toBe(ascii);
  });
});
