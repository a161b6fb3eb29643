import autocannon from 'autocannon';
import { type ResourceName, resources } from './resources.ts';

export interface Measure {
  resource: ResourceName;
  operation: 'list' | 'read' | 'create';
}

/** List, read and create of each resource. */
export function measuresOf(names: readonly ResourceName[]): Measure[] {
  const operations = ['list', 'read', 'create'] as const;
  return names.flatMap((resource) => operations.map((operation) => ({ resource, operation })));
}

/** Public ids to read, by resource. */
export type Ids = Map<ResourceName, readonly string[]>;

export interface Target {
  /** Base URL, including the version, such as http://127.0.0.1:3000/v1. */
  url: string;
  token: string;
  /** CPU time that the process has used so far. */
  cpuSeconds(): Promise<number>;
}

export interface LoadResult {
  requestsPerSecond: number;
  /** Milliseconds. */
  p50: number;
  /** Milliseconds. */
  p99: number;
  /** CPU time per request. Microseconds. Noisy neighbours affect it less than the request rate. */
  cpu: number;
}

const CONNECTIONS = 16;

/** Sends requests over sixteen keep-alive connections for `seconds`. Throws on any response other than 2xx. */
export async function load(
  measure: Measure,
  { url, token, cpuSeconds }: Target,
  ids: Ids,
  seconds: number,
): Promise<LoadResult> {
  const before = await cpuSeconds();
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    headers: { authorization: `Bearer ${token}` },
    requests: [requestOf(measure, new URL(url).pathname, ids)],
  });
  if (result.non2xx > 0 || result.errors > 0 || result['2xx'] === 0) {
    throw new Error(
      `${measure.operation} ${measure.resource} at ${url}: ${result.non2xx} responses were not 2xx, ${result.errors} requests failed`,
    );
  }
  return {
    requestsPerSecond: result['2xx'] / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    cpu: (((await cpuSeconds()) - before) / result['2xx']) * 1e6,
  };
}

function requestOf({ resource, operation }: Measure, base: string, ids: Ids): autocannon.Request {
  const path = `${base}/${resource}`;
  if (operation === 'list') return { method: 'GET', path };
  if (operation === 'read') {
    const known = ids.get(resource) ?? [];
    let next = 0;
    return {
      method: 'GET',
      setupRequest: (request) => ({
        ...request,
        path: `${path}/${known[next++ % known.length]}`,
      }),
    };
  }
  return {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json' },
    setupRequest: (request) => ({ ...request, body: JSON.stringify(resources[resource].body()) }),
  };
}
