import { mediaTypeAliases } from '../../generated/operations.ts';

const aliases = Object.groupBy(Object.entries(mediaTypeAliases), ([, type]) => type);

/** The media type of a Content-Type header, as the contract spells it. Empty without a header. */
export function mediaTypeOf(contentType = ''): string {
  const [type = ''] = contentType.split(';', 1);
  return canonical(type.trim().toLowerCase());
}

/** The media type that this is another name of, or itself. */
export function canonical(mediaType: string): string {
  return Object.hasOwn(mediaTypeAliases, mediaType) ? (mediaTypeAliases[mediaType] ?? mediaType) : mediaType;
}

/** The media types, and behind them their other names. */
export function withAliases(mediaTypes: readonly string[]): string[] {
  return [...mediaTypes, ...mediaTypes.flatMap((type) => (aliases[type] ?? []).map(([alias]) => alias))];
}

/** The charset that a Content-Type header names, in lower case. Undefined if it names none. */
export function charsetOf(contentType = ''): string | undefined {
  const [, charset] = /;\s*charset\s*=\s*["']?([^\s"';]{1,40})/i.exec(contentType) ?? [];
  return charset?.toLowerCase();
}
