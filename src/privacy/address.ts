import { domainToUnicode } from 'node:url';

/** The ways to write an address: with its domain in ASCII, and as people read it. In lower case. */
export function formsOf(email: string): string[] {
  const lower = email.toLowerCase();
  const at = lower.lastIndexOf('@');
  const domain = domainToUnicode(lower.slice(at + 1));
  const readable = `${lower.slice(0, at)}@${domain}`;
  return domain === '' || readable === lower ? [lower] : [lower, readable];
}

/** Regular expressions of PostgreSQL, to be used without regard to case. */
export interface Patterns {
  /** Finds an address within texts and JSON, but not within longer addresses. */
  whole: string;
  /** Finds it behind anything, as in the Idempotency-Key `create-ada@example.com`. */
  part: string;
}

/**
 * What may stand before an address: anything that can't belong to it. Letters may be the end of an escape, in JSON or in a
 * URL. A single backslash is the beginning of one.
 */
const START = [
  String.raw`(?<![\w.+%\\-])`,
  String.raw`(?<=(?:^|[^\\])(?:\\\\)+)`,
  String.raw`(?<=\\[bfnrt])`,
  String.raw`(?<=\\u[0-9a-f]{4})`,
  // Not +, -, . and _.
  '(?<=%(?:25)*(?:[013467][0-9a-f]|2[0-46-9acf]|5[0-9a-e]))',
].join('|');

/** Of one address: with many, PostgreSQL takes seconds to read the expression. */
export function patternsOf(email: string): Patterns {
  const spelled = formsOf(email).map((form) => [...form].map(spellings).join(''));
  const part = `(?:${spelled.join('|')})`;
  return { whole: String.raw`(?:${START})${part}(?![\w-]|\.\w)`, part };
}

/** Finds a character as it is, in a URL, in HTML, and in JSON, whose backslashes may be escaped too. */
function spellings(character: string): string {
  if (/[a-z0-9]/.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  const bytes = [...Buffer.from(character)].map((byte) => `%(?:25)*${byte.toString(16).padStart(2, '0')}`);
  const hex = code.toString(16);
  return [
    String.raw`(?:\U${hex.padStart(8, '0')}`,
    bytes.join(''),
    `&#0*${code};`,
    `&#x0*${hex};`,
    ...(character === '@' ? ['&commat;'] : []),
    String.raw`\\+u${hex.padStart(4, '0')})`,
  ].join('|');
}
