import { isNode } from './node.ts';

const shorthand = [
  'x-change',
  'x-changes-of',
  'x-constant',
  'x-envelope',
  'x-export',
  'x-filters-of',
  'x-for',
  'x-guide',
  'x-id',
  'x-in-url',
  'x-items',
  'x-list',
  'x-max-items',
  'x-max-values',
  'x-merge-patch-example',
  'x-meta',
  'x-metadata',
  'x-no-idempotency-key',
  'x-order',
  'x-path-id',
  'x-scopes',
  'x-sent-id',
  'x-sort',
  'x-stores-nothing',
  'x-values',
  'x-visible',
];

/** Where the document still has shorthand: at a place where it stands for nothing. */
export function leftovers(value: unknown, at = '#'): string[] {
  if (Array.isArray(value)) return value.flatMap((member, index) => leftovers(member, `${at}/${index}`));
  if (!isNode(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const place = `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    return [...(shorthand.includes(key) ? [place] : []), ...leftovers(member, place)];
  });
}
