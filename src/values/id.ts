import { randomUUID } from 'node:crypto';

/** Prefixes of ids. Public ids are TypeIDs (https://github.com/jetify-com/typeid); the database stores UUIDs. */
export type IdPrefix =
  | 'audit'
  | 'change'
  | 'client'
  | 'contact'
  | 'content'
  | 'cycle'
  | 'delivery'
  | 'erasure'
  | 'event'
  | 'field'
  | 'hook'
  | 'import'
  | 'inbound'
  | 'job'
  | 'key'
  | 'lead'
  | 'note'
  | 'replay'
  | 'user'
  | 'webhook';

/** The last id's time: milliseconds since the epoch, times 4,096. */
let lastTime = 0;

/** A new UUIDv7 (RFC 9562). Ids grow with time, within a millisecond too, which keeps the tables' indexes dense. */
export function newUuid(): string {
  lastTime = Math.max(Date.now() * 4_096, lastTime + 1);
  const time = lastTime.toString(16).padStart(15, '0');
  return `${time.slice(0, 8)}-${time.slice(8, 12)}-7${time.slice(12)}-${randomUUID().slice(19)}`;
}

/** Character codes. */
const HYPHEN = 0x2d;
const ZERO = 0x30;
const SEVEN = 0x37;
const LETTER_A = 0x61;

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const DIGIT_COUNT = 26;
/** The two digits of each ten bits. */
const PAIRS = Array.from({ length: 1024 }, (_, bits) => `${DIGITS[bits >> 5]}${DIGITS[bits & 31]}`);
/** The value of the digit with each character code. */
const VALUES = new Map([...DIGITS].map((digit, value) => [digit.charCodeAt(0), value]));
const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** The public id of a UUID. The library typeid-js takes six times as long, and a page of 100 leads has up to 400 ids. */
export function toId(prefix: IdPrefix, uuid: string): string {
  let id = `${prefix}_`;
  let bits = 0;
  // The 128 bits of the UUID follow two zero bits: 26 digits of five bits.
  let count = 2;
  for (let index = 0; index < uuid.length; index += 1) {
    const code = uuid.charCodeAt(index);
    if (code === HYPHEN) continue;
    bits = (bits << 4) | (code < LETTER_A ? code - ZERO : code - LETTER_A + 10);
    count += 4;
    if (count < 10) continue;
    count -= 10;
    id += PAIRS[bits >> count];
    bits &= (1 << count) - 1;
  }
  return id;
}

export function toNullableId(prefix: IdPrefix, uuid: string | null): string | null {
  return uuid === null ? null : toId(prefix, uuid);
}

/** The UUID of a public id, or undefined if the text is not an id of this kind. */
export function toUuid(prefix: IdPrefix, id: string): string | undefined {
  return id.startsWith(`${prefix}_`) ? decode(id, prefix.length + 1) : undefined;
}

/** The UUID of a public id of any kind, or undefined if the text is not an id. */
export function anyUuid(id: string): string | undefined {
  return decode(id, id.lastIndexOf('_') + 1);
}

/** The UUID of the 26 digits from `start` to the end. */
function decode(id: string, start: number): string | undefined {
  // A first digit above 7 would make more than 128 bits.
  if (id.length !== start + DIGIT_COUNT || id.charCodeAt(start) > SEVEN) return undefined;
  let uuid = '';
  let bits = 0;
  let count = -2;
  for (let index = start; index < id.length; index += 1) {
    const value = VALUES.get(id.charCodeAt(index));
    if (value === undefined) return undefined;
    bits = (bits << 5) | value;
    count += 5;
    if (count < 8) continue;
    count -= 8;
    uuid += BYTES[bits >> count];
    bits &= (1 << count) - 1;
    const { length } = uuid;
    if (length === 8 || length === 13 || length === 18 || length === 23) uuid += '-';
  }
  return uuid;
}
