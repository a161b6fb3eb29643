import type { OpenAPIV3_1 as OpenAPI } from 'openapi-types';
import { docsAnchor } from '../../../src/pages/docs-anchor.ts';

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
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
export function operationLinks({ paths = {} }: OpenAPI.Document): (code: string) => string | undefined {
  const targets = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method): Target[] => {
      const { operationId, tags: [tag] = [] } = item?.[method] ?? {};
      if (operationId === undefined || tag === undefined) return [];
      const url = docsAnchor(tag, operationId);
      return [{ method: method.toUpperCase(), segments: path.split('/'), url }];
    }),
  );
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
