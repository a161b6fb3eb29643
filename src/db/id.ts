import { fromString, fromUUID, toUUID, typeidUnboxed } from 'typeid-js';

/** Prefixes of ids. Public ids are TypeIDs (https://github.com/jetify-com/typeid); the database stores UUIDs. */
export type IdPrefix =
  | 'client'
  | 'contact'
  | 'content'
  | 'delivery'
  | 'event'
  | 'hook'
  | 'key'
  | 'lead'
  | 'user'
  | 'webhook';

/** A new UUIDv7 (RFC 9562): ids of a table grow with time, which keeps its index dense. */
export function newUuid(): string {
  return toUUID(typeidUnboxed());
}

export function toId(prefix: IdPrefix, uuid: string): string {
  return fromUUID(uuid, prefix);
}

export function toNullableId(prefix: IdPrefix, uuid: string | null): string | null {
  return uuid === null ? null : fromUUID(uuid, prefix);
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
