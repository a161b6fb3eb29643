import type { DescribedOperation } from './reference/operations.ts';

const REQUEST = /^(GET|POST|PUT|PATCH|DELETE) (?:\/sandbox)?(?:\/v1)?(\/[^\s?#]*)/;

/** Returns a function that finds the operation of a request such as `GET /leads/{id}?fields=name`, and its place. */
export function operationLinks(
  operations: readonly DescribedOperation[],
): (code: string) => string | undefined {
  const targets = operations.map(({ method, path, page }) => ({ method, segments: path.split('/'), page }));
  return (code) => {
    const [, method, path = ''] = REQUEST.exec(code) ?? [];
    const segments = path.split('/');
    const found = targets.filter((target) => target.method === method && matches(target.segments, segments));
    // `/leads/export` also looks like `/leads/{id}`.
    return found.sort((a, b) => parametersIn(a.segments) - parametersIn(b.segments))[0]?.page;
  };
}

function matches(template: string[], segments: string[]): boolean {
  return (
    template.length === segments.length &&
    template.every(
      (part, index) => part === segments[index] || (part.startsWith('{') && segments[index] !== ''),
    )
  );
}

function parametersIn(segments: string[]): number {
  return segments.filter((segment) => segment.startsWith('{')).length;
}
