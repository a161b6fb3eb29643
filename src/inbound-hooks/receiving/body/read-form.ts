import type { RawField } from './form-fields.ts';

const [AMPERSAND, EQUALS, PLUS, PERCENT, SPACE] = Buffer.from('&=+% ') as unknown as [
  number,
  number,
  number,
  number,
  number,
];

/** The fields of application/x-www-form-urlencoded, at most `max`. Percent escapes are bytes, in whatever charset. */
export function readForm(bytes: Buffer, max: number): RawField[] {
  const fields: RawField[] = [];
  for (let start = 0; start < bytes.length && fields.length < max; ) {
    const found = bytes.indexOf(AMPERSAND, start);
    const end = found === -1 ? bytes.length : found;
    const from = start;
    start = end + 1;
    if (from === end) continue;
    const pair = bytes.subarray(from, end);
    const split = pair.indexOf(EQUALS);
    const name = split === -1 ? pair : pair.subarray(0, split);
    const value = split === -1 ? Buffer.alloc(0) : pair.subarray(split + 1);
    fields.push({ name: unescaped(name), value: unescaped(value) });
  }
  return fields;
}

/** A `%` without two hexadecimal digits stands for itself, as in browsers. */
function unescaped(bytes: Buffer): Buffer {
  if (!bytes.includes(PERCENT) && !bytes.includes(PLUS)) return bytes;
  const plain = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] as number;
    const escaped = byte === PERCENT ? 16 * digit(bytes[index + 1]) + digit(bytes[index + 2]) : Number.NaN;
    if (!Number.isNaN(escaped)) index += 2;
    plain[length] = Number.isNaN(escaped) ? (byte === PLUS ? SPACE : byte) : escaped;
    length += 1;
  }
  return plain.subarray(0, length);
}

/** The value of a hexadecimal digit in ASCII, or NaN. */
function digit(code = 0): number {
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : Number.NaN;
}
