import { invalidParameter, Problem } from './problem.ts';

/**
 * The entity tag of a resource: its version (RFC 9110 section 8.8.3), and behind a dash what else it shows that changes
 * without being a change of it.
 */
export function etag(version: number, shown = ''): string {
  return shown === '' ? `"${version}"` : `"${version}-${shown}"`;
}

/** Throws 412 when the caller changed another version than the one that is stored (RFC 9110 section 13.1.1), 400 for what is no tag. */
export function checkIfMatch(ifMatch: string | undefined, version: number): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  if (!isListOfTags(ifMatch)) {
    throw invalidParameter('If-Match', 'must be * or the ETag that was read, with its quotes, such as "3"');
  }
  if (!entityTags(ifMatch).some((tag) => tag === etag(version) || tag.startsWith(`"${version}-`))) {
    throw new Problem(
      'version_mismatch',
      `The resource is at version ${version}, not at ${ifMatch}. Read it again, then repeat the change.`,
    );
  }
}

/** Whether the caller already has this version, so that 304 will do (RFC 9110 section 13.1.2: weak comparison). */
export function isNotModified(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  // What is no list matches nothing, and is answered in full.
  if (!isListOfTags(ifNoneMatch)) return false;
  return entityTags(ifNoneMatch).some((candidate) => candidate.replace(/^W\//, '') === tag);
}

/** RFC 9110 section 8.8.3; Node gives each byte of a header as a character. */
const ENTITY_TAG = /(?:W\/)?"[!#-~\u0080-\u00ff]*"/g;
/** With a `#` for each tag: commas between them, and more where nothing is (RFC 9110 section 5.6.1). */
const LIST = /^[ \t,]*#(?:[ \t]*,[ \t,]*#)*[ \t,]*$/;

function entityTags(header: string): string[] {
  return header.match(ENTITY_TAG) ?? [];
}

function isListOfTags(header: string): boolean {
  return LIST.test(header.replaceAll('#', '?').replaceAll(ENTITY_TAG, '#'));
}
