/** Readers of the document find the paths of each resource in one order. */
import { expect, it } from 'vitest';
import { readDocument } from '../support/document.ts';

const histories = [
  'events',
  'status-changes',
  'deliveries',
  'replays',
  'errors',
  'rows',
  'rejected-rows',
  'keys',
];

/** The resource itself, its verbs, its histories and parts, external ids, and what is about many. */
function rank(path: string): number {
  const [first, second] = path.split('/').slice(2);
  if (first === undefined) return 0;
  if (first === '{id}') return second === undefined ? 1 : histories.includes(second) ? 3 : 2;
  return ['external', 'batch', 'export', 'duplicates'].indexOf(first) + 4;
}

it('the paths of a resource stand together, and in one order', () => {
  const paths = Object.keys(readDocument().paths ?? {});
  const nameOf = (path: string) => path.split('/')[1] ?? '';
  const names = paths.map(nameOf);
  expect(names.filter((name, index) => name !== names[index - 1])).toEqual([...new Set(names)]);
  for (const name of new Set(names)) {
    const own = paths.filter((path) => nameOf(path) === name);
    expect(own).toEqual(own.toSorted((one, other) => rank(one) - rank(other)));
  }
});
