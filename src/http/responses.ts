import { etag } from './conditional.ts';

interface Versioned {
  id: string;
  version: number;
}

/** 200 with the resource and its ETag. */
export function ok<Data extends Versioned>(data: Data) {
  return { status: 200 as const, headers: { ETag: etag(data.version) }, body: { data } };
}

/** 201 with the resource, its ETag and its Location below `listUrl`. */
export function created<Data extends Versioned>(listUrl: string, data: Data) {
  return {
    status: 201 as const,
    headers: { Location: `${listUrl}/${data.id}`, ETag: etag(data.version) },
    body: { data },
  };
}

/** 202 with the resource and its ETag, and with its Location if it is new. */
export function accepted<Data extends Versioned>(data: Data, location?: string) {
  return {
    status: 202 as const,
    headers: { ...(location !== undefined && { Location: location }), ETag: etag(data.version) },
    body: { data },
  };
}

/** 204 No Content. */
export const noContent = { status: 204 as const, body: undefined };

/** Adds `Cache-Control: no-store`, for a response that contains a secret or may be a file. */
export function noStore<R extends { headers: object }>(response: R) {
  return { ...response, headers: { ...response.headers, 'Cache-Control': 'no-store' } };
}
