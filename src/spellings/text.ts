/** Ranges of spaces, controls, and characters that show nothing, such as the zero width space. */
const INVISIBLE_RANGES = [
  ...[0x00, 0x20, 0x7f, 0xa0, 0xad, 0xad, 0x61c, 0x61c, 0x115f, 0x1160, 0x1680, 0x1680, 0x180e, 0x180e],
  ...[0x2000, 0x200f, 0x2028, 0x202f, 0x205f, 0x206f, 0x2800, 0x2800, 0x3000, 0x3000, 0x3164, 0x3164],
  ...[0xfeff, 0xfeff, 0xffa0, 0xffa0],
];

const invisible = new Set<number>();
for (let index = 0; index < INVISIBLE_RANGES.length; index += 2) {
  const [first = 0, last = 0] = INVISIBLE_RANGES.slice(index, index + 2);
  for (let code = first; code <= last; code += 1) invisible.add(code);
}

/** Controls of direction, and characters without a width, that no word needs. */
const STRAY = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** Removes spaces and invisible characters at both ends. Not by a regular expression, which would take quadratic time. */
export function trimText(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && invisible.has(text.charCodeAt(start))) start += 1;
  while (end > start && invisible.has(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Most texts are words of ASCII. Looking for other characters takes ten times as long. */
const COLLAPSED = /^[!-~]+(?: [!-~]+)*$/;
const ASCII = /^[ -~]*$/;

/** Trims, and replaces each run of spaces, tabs and line breaks by one space. */
export function collapseSpaces(text: string): string {
  if (COLLAPSED.test(text)) return text;
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
  ...['k.A.', 'k. A.', 'n/d', 'N/D', 's/d', 'S/D', 'n.v.t.'],
  ...['#NULL!', '#VALUE!', '#REF!', '#NAME?', '#DIV/0!', '#NUM!', '#ERROR!'],
]);

/** Whether the text has nothing to read: no visible character, only dashes, or a placeholder such as `N/A` and `NULL`. */
export function isBlank(text: string): boolean {
  const trimmed = trimText(text);
  return trimmed === '' || PLACEHOLDERS.has(trimmed) || /^[-‐-―−_.\s]+$/u.test(trimmed);
}

const OTHER_DIGIT = /[^\P{Nd}0-9]/gu;

/** Writes full-width and other compatible characters plainly, and the digits of every script as 0 to 9. */
export function plainText(text: string): string {
  if (ASCII.test(text)) return text;
  return text.normalize('NFKC').replaceAll(OTHER_DIGIT, toAsciiDigit);
}

/** Unicode encodes the digits of a script from zero to nine, some of them directly after those of another script. */
function toAsciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return String((code - first) % 10);
}

/** Whether the text has more characters than this. */
export function isLonger(text: string, max: number): boolean {
  return text.length > max && (text.length > 2 * max || Array.from(text).length > max);
}

/** The text as a key that is compared: without case, accents and spaces around. */
export function keyOf(text: string): string {
  return collapseSpaces(text.normalize('NFKD').replaceAll(/\p{M}/gu, '')).toLowerCase();
}

/** A field's name for people: `value.amount` is Value amount, `metadata.plan` is Plan. */
export function labelOf(field: string): string {
  const words = field
    .replace(/^metadata\./, '')
    .replaceAll(/[._]+/g, ' ')
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
