import { mediaTypeAliases, type Operation } from '../../generated/operations.ts';

const aliases = Object.groupBy(Object.entries(mediaTypeAliases), ([, type]) => type);

/** The media type of a Content-Type header, as the contract spells it. Empty without a header. */
export function mediaTypeOf(contentType = ''): string {
  const [type = ''] = contentType.split(';', 1);
  return canonical(type.trim().toLowerCase());
}

/** Resolves an alias of a media type. */
export function canonical(mediaType: string): string {
  return Object.hasOwn(mediaTypeAliases, mediaType) ? (mediaTypeAliases[mediaType] ?? mediaType) : mediaType;
}

/** The media types, followed by their aliases. */
export function withAliases(mediaTypes: readonly string[]): string[] {
  return [...mediaTypes, ...mediaTypes.flatMap((type) => (aliases[type] ?? []).map(([alias]) => alias))];
}

/** The charset that a Content-Type header names, in lower case. Undefined if it names none. */
export function charsetOf(contentType = ''): string | undefined {
  const [, charset] = /;\s*charset\s*=\s*["']?([^\s"';]{1,40})/i.exec(contentType) ?? [];
  return charset?.toLowerCase();
}

/** Whether the operation takes files with any number of rows. Its handler reads them while they arrive. */
export function takesFiles({ consumes }: Operation): boolean {
  return consumes.includes('application/x-ndjson');
}
