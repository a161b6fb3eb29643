import type { Document } from '../../../src/http/validation/document.ts';
import { describedOperations } from '../../../src/pages/described-operations.ts';

const REQUEST = /^(GET|POST|PUT|PATCH|DELETE) (?:\/sandbox)?(?:\/v1)?(\/[^\s?#]*)/;

interface Target {
  method: string;
  segments: string[];
  url: string;
}

/**
 * Returns a function that finds the operation of a request such as `GET /leads/{id}?fields=name`, and returns its place in
 * the docs page.
 */
export function operationLinks(document: Document): (code: string) => string | undefined {
  const targets = describedOperations(document).map(({ method, path, url }): Target => {
    return { method, segments: path.split('/'), url };
  });
  return (code) => {
    const [, method, path = ''] = REQUEST.exec(code) ?? [];
    const segments = path.split('/');
    const found = targets.filter((target) => target.method === method && matches(target.segments, segments));
    // `/leads/export` also looks like `/leads/{id}`.
    return found.sort((a, b) => parametersIn(a) - parametersIn(b))[0]?.url;
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

function parametersIn({ segments }: Target): number {
  return segments.filter((segment) => segment.startsWith('{')).length;
}
