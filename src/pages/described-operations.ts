import type { Document } from '../http/validation/document.ts';

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

interface DescribedOperation {
  operationId: string;
  tag: string;
  /** In upper case. */
  method: string;
  path: string;
  /** Its place in the docs page, relative to the service's origin. */
  url: string;
  summary: string;
  description: string;
}

/** The operations of the document, as pages show them. */
export function describedOperations({ paths = {} }: Document): DescribedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const { operationId, tags: [tag] = [], summary = '', description = '' } = item?.[method] ?? {};
      if (operationId === undefined || tag === undefined) return [];
      const url = `docs#/${encodeURIComponent(tag)}/${operationId}`;
      return [{ operationId, tag, method: method.toUpperCase(), path, url, summary, description }];
    }),
  );
}
