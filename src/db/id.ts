import { fromString, fromUUID, toUUID, typeidUnboxed } from 'typeid-js';

/** The prefixes of the platform's ids (https://github.com/jetify-com/typeid): a TypeID outside, a uuid inside. */
export type IdPrefix = 'client' | 'contact' | 'content' | 'key' | 'lead' | 'user';

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
