/** Spaces, controls, and characters that show nothing, such as the zero width space. */
const INVISIBLE =
  /^[\s\p{Z}\p{Cc}\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0]$/u;

/** Controls of direction, and characters without a width, that no word needs. */
const STRAY = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** Removes spaces and invisible characters at both ends. Not by a regular expression, which would take quadratic time. */
export function trimText(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && INVISIBLE.test(text.charAt(start))) start += 1;
  while (end > start && INVISIBLE.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Trims, and replaces each run of spaces, tabs and line breaks by one space. */
export function collapseSpaces(text: string): string {
  return trimText(text.replaceAll(STRAY, '').replaceAll(/[\s\p{Z}\p{Cc}]+/gu, ' '));
}

/** How systems write that there is nothing. Only in this case: Null and Nan are names of people. */
const PLACEHOLDERS = new Set([
  ...[
    'n/a',
    'N/A',
    'n.a.',
    'N.A.',
    '#N/A',
    '#n/a',
    'NULL',
    'null',
    '(null)',
    '<null>',
    '[null]',
    '\\N',
    'nil',
  ],
  ...['None', 'none', 'NONE', '(none)', '(blank)', '(empty)', 'undefined', 'NaN', 'nan'],
  ...['#NULL!', '#VALUE!', '#REF!', '#NAME?', '#DIV/0!', '#NUM!', '#ERROR!'],
]);

/** Whether the text has nothing to read: no visible character, only dashes, or a placeholder such as `N/A` and `NULL`. */
export function isBlank(text: string): boolean {
  const trimmed = trimText(text);
  return trimmed === '' || PLACEHOLDERS.has(trimmed) || /^[-‐-―−_.]+$/u.test(trimmed);
}

const OTHER_DIGIT = /[^\P{Nd}0-9]/gu;

/** Writes full-width and other compatible characters plainly, and the digits of every script as 0 to 9. */
export function plainText(text: string): string {
  return text.normalize('NFKC').replaceAll(OTHER_DIGIT, toAsciiDigit);
}

/** Unicode encodes the digits of a script in order, beginning at a code that ends with 0 or 6 in hexadecimal. */
function toAsciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  const last = code % 16;
  const beginsAtZero = /^\p{Nd}$/u.test(String.fromCodePoint(code - last));
  return String(beginsAtZero ? last : last - 6);
}

/** The text as a key that is compared: without case, accents and spaces around. */
export function keyOf(text: string): string {
  return collapseSpaces(text.normalize('NFKD').replaceAll(/\p{M}/gu, '')).toLowerCase();
}
