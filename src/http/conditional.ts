import { invalidParameter, Problem } from '../problem.ts';

/** The entity tag of a resource (RFC 9110 section 8.8.3): its version. */
export function etag(version: number): string {
  return `"${version}"`;
}

/** Throws 412 if no tag of If-Match has the stored version (RFC 9110 section 13.1.1), 400 if the header is malformed. */
export function checkIfMatch(ifMatch: string | undefined, version: number): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  if (!isListOfTags(ifMatch)) {
    throw invalidParameter('If-Match', 'must be * or the ETag that you read, with its quotes, such as "3"');
  }
  if (!entityTags(ifMatch).includes(etag(version))) {
    throw versionMismatch(version, ifMatch);
  }
}

/** Throws 412 if If-None-Match forbids that the resource exists, or that it has this version (RFC 9110 section 13.1.2). */
export function checkIfNoneMatch(ifNoneMatch: string | undefined, version: number): void {
  if (!isNotModified(ifNoneMatch, etag(version))) return;
  const message = 'It exists already, and If-None-Match says that it must not. Nothing was changed.';
  throw new Problem('version_mismatch', message);
}

/** The 412 for a resource whose version is not the expected one. */
export function versionMismatch(version: number, expected: string | number): Problem {
  return new Problem(
    'version_mismatch',
    `The resource is at version ${version}, not at ${expected}. Read it again, then repeat the change.`,
  );
}

/** Whether to respond 304: If-None-Match contains this tag (RFC 9110 section 13.1.2, weak comparison). */
export function isNotModified(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  // A malformed header matches nothing, so the client gets the full response.
  if (!isListOfTags(ifNoneMatch)) return false;
  return entityTags(ifNoneMatch).includes(tag);
}

/** RFC 9110 section 8.8.3. Node decodes each header byte as one character. */
const ENTITY_TAG = /(?:W\/)?"[!#-~\u0080-\u00ff]*"/g;
/** A list in which each tag has been replaced by `#`. Empty elements are allowed (RFC 9110 section 5.6.1). */
const LIST = /^[ \t,]*#(?:[ \t]*,[ \t,]*#)*[ \t,]*$/;

/** Compressing proxies change the tag: nginx weakens it, Apache appends the encoding. The version in it stays exact. */
const BY_PROXY = /^W\/|-(?:br|deflate|gzip|zstd)(?="$)/g;

/** The tags as this service sent them. */
function entityTags(header: string): string[] {
  return (header.match(ENTITY_TAG) ?? []).map((tag) => tag.replaceAll(BY_PROXY, ''));
}

function isListOfTags(header: string): boolean {
  return LIST.test(header.replaceAll('#', '?').replaceAll(ENTITY_TAG, '#'));
}
