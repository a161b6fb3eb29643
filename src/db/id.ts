import { fromString, toUUID, typeidUnboxed } from 'typeid-js';

/** Prefixes of ids. Public ids are TypeIDs (https://github.com/jetify-com/typeid); the database stores UUIDs. */
export type IdPrefix =
  | 'audit'
  | 'client'
  | 'contact'
  | 'content'
  | 'delivery'
  | 'event'
  | 'hook'
  | 'import'
  | 'key'
  | 'lead'
  | 'note'
  | 'user'
  | 'webhook';

/** A new UUIDv7 (RFC 9562): ids of a table grow with time, which keeps its index dense. */
export function newUuid(): string {
  return toUUID(typeidUnboxed());
}

/** Character codes. */
const HYPHEN = 0x2d;
const ZERO = 0x30;
const LETTER_A = 0x61;

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
/** The two digits of each ten bits. */
const PAIRS = Array.from({ length: 1024 }, (_, bits) => `${DIGITS[bits >> 5]}${DIGITS[bits & 31]}`);

/** The public id of a UUID. Six times as fast as typeid-js: a page of 100 leads has up to 400 ids. */
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
  try {
    return toUUID(fromString(id, prefix));
  } catch {
    return undefined;
  }
}

/** The UUID of a public id of any kind, or undefined if the text is not an id. */
export function anyUuid(id: string): string | undefined {
  return toUuid(id.slice(0, Math.max(0, id.lastIndexOf('_'))) as IdPrefix, id);
}
