import { fromString, fromUUID, toUUID, typeidUnboxed } from 'typeid-js';

/** The prefixes of the platform's ids (https://github.com/jetify-com/typeid): a TypeID outside, a uuid inside. */
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

/** A new UUIDv7, so that ids of one table grow with time and its index stays dense. */
export function newUuid(): string {
  return toUUID(typeidUnboxed());
}

export function toId(prefix: IdPrefix, uuid: string): string {
  return fromUUID(uuid, prefix);
}

export function toNullableId(prefix: IdPrefix, uuid: string | null): string | null {
  return uuid === null ? null : fromUUID(uuid, prefix);
}

/** The uuid inside an id, or undefined when the text is no id of this kind. */
export function toUuid(prefix: IdPrefix, id: string): string | undefined {
  try {
    return toUUID(fromString(id, prefix));
  } catch {
    return undefined;
  }
}

/** The uuid inside an id of any kind, or undefined when the text is no id. */
export function anyUuid(id: string): string | undefined {
  return toUuid(id.slice(0, Math.max(0, id.lastIndexOf('_'))) as IdPrefix, id);
}
