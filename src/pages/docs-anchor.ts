/** An operation's place in the docs page, relative to the service's origin. */
export function docsAnchor(tag: string, operationId: string): string {
  return `docs#/${encodeURIComponent(tag)}/${operationId}`;
}
