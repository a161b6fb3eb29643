/** TypeIDs (https://github.com/jetify-com/typeid): a prefix and the 128 bits of a UUID in 26 digits of base 32. */
import { randomUUID } from 'node:crypto';

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
/** Two digits for each ten bits. */
const PAIRS = Array.from({ length: 1024 }, (_, bits) => `${DIGITS[bits >> 5]}${DIGITS[bits & 31]}`);
const HYPHEN = 45;

/** The value of each digit, by its character code. */
function valuesOf(digits: string): Uint8Array {
  const values = new Uint8Array(128);
  for (const [value, digit] of [...digits].entries()) values[digit.charCodeAt(0)] = value;
  return values;
}

const hexValues = valuesOf('0123456789abcdef');
const base32Values = valuesOf(DIGITS);

export function toId(prefix: string, uuid: string): string {
  let id = `${prefix}_`;
  let bits = 0;
  // Two zero bits fill up 128 to 130.
  let count = 2;
  for (let index = 0; index < uuid.length; index += 1) {
    const code = uuid.charCodeAt(index);
    if (code === HYPHEN) continue;
    bits = (bits << 4) | (hexValues[code] as number);
    count += 4;
    if (count < 10) continue;
    count -= 10;
    id += PAIRS[bits >> count];
    bits &= (1 << count) - 1;
  }
  return id;
}

/** The UUID without hyphens, which PostgreSQL reads too. */
export function toUuid(id: string): string {
  let uuid = '';
  let bits = 0;
  let count = -2;
  for (let index = id.length - 26; index < id.length; index += 1) {
    bits = (bits << 5) | (base32Values[id.charCodeAt(index)] as number);
    count += 5;
    while (count >= 4) {
      count -= 4;
      uuid += ((bits >> count) & 15).toString(16);
    }
    bits &= (1 << count) - 1;
  }
  return uuid;
}

/** A UUIDv7 (RFC 9562). */
export function newUuid(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
