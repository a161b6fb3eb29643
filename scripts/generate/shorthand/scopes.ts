import { type Node, replaceKey } from './node.ts';

/**
 * `x-scopes: [leads:read]`: the operation needs these scopes, with a token or with an API key. `[]`: any credential will do.
 * `[[leads:read], [contacts:read]]`: either will do. A public operation has `security: []`.
 */
export function expandScopes(operation: Node): Node {
  return replaceKey(operation, 'x-scopes', (scopes) => ({
    security: alternatives(scopes as string[] | string[][]).flatMap((needed) => [
      { oauth2: needed },
      { apiKey: needed },
    ]),
  }));
}

function alternatives(scopes: string[] | string[][]): string[][] {
  return Array.isArray(scopes[0]) ? (scopes as string[][]) : [scopes as string[]];
}
