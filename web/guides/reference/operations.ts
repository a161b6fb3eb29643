import type { Document, Operation } from './document.ts';

/** An operation with its place in the reference. */
export interface DescribedOperation {
  operation: Operation;
  tag: string;
  /** In upper case. */
  method: string;
  path: string;
  /** The page with its heading: `reference/leads#createlead`. */
  page: string;
}

/** The verbs that come first, in this order. All others follow in the order of the document. */
const FIRST = [/^list/, /^create/, /^get(?!.*ByExternalId)/, /^update/, /^delete(?!.*ByExternalId)/];

/** All operations, by tags, in the order list, create, get, update, delete, others. */
export function describedOperations({ tags, paths }: Document): DescribedOperation[] {
  const all = Object.entries(paths).flatMap(([path, { parameters: _, ...operations }]) =>
    Object.entries(operations).map(([method, operation]): DescribedOperation => {
      const [tag = ''] = operation.tags;
      const page = `reference/${pageOf(tag)}#${operation.operationId.toLowerCase()}`;
      return { operation, tag, method: method.toUpperCase(), path, page };
    }),
  );
  return tags.flatMap(({ name }) => {
    const own = all.filter(({ tag }) => tag === name);
    // A tag can have lists of other things, such as tags or the events of a lead. The shortest path is the resource's own.
    const root = own.map(rootOf).sort((a, b) => countOf(own, b) - countOf(own, a))[0];
    const ranked = FIRST.flatMap((verb) => {
      const those = own.filter((each) => rootOf(each) === root && verb.test(each.operation.operationId));
      return those.sort((a, b) => a.path.length - b.path.length).slice(0, 1);
    });
    return [...ranked, ...own.filter((each) => !ranked.includes(each))];
  });
}

/** `leads` of `/leads/{id}`. */
function rootOf({ path }: DescribedOperation): string {
  return path.split('/')[1] ?? '';
}

function countOf(operations: readonly DescribedOperation[], root: string): number {
  return operations.filter((each) => rootOf(each) === root).length;
}

/** `inbound-hooks` for `Inbound hooks`. */
export function pageOf(tag: string): string {
  return tag.toLowerCase().replaceAll("'", '').replaceAll(' ', '-');
}
