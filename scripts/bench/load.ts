import { randomUUID } from 'node:crypto';
import autocannon from 'autocannon';

export type Resource = 'leads' | 'contacts';
export type Operation = 'list' | 'read' | 'create';

export interface Measure {
  resource: Resource;
  operation: Operation;
}

export const measures: readonly Measure[] = (['leads', 'contacts'] as const).flatMap((resource) =>
  (['list', 'read', 'create'] as const).map((operation) => ({ resource, operation })),
);

/** Ids to read, by resource. */
export type Ids = Record<Resource, readonly string[]>;

export interface Target {
  /** Base URL with the version, such as http://127.0.0.1:3000/v1. */
  url: string;
  token: string;
}

export interface LoadResult {
  requestsPerSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

const CONNECTIONS = 16;

/** Sixteen keep-alive connections for so many seconds. Throws when any answer is not the expected 2xx. */
export async function load(
  measure: Measure,
  { url, token }: Target,
  ids: Ids,
  seconds: number,
): Promise<LoadResult> {
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    headers: { authorization: `Bearer ${token}` },
    requests: [requestOf(measure, new URL(url).pathname, ids)],
  });
  if (result.non2xx > 0 || result.errors > 0 || result['2xx'] === 0) {
    throw new Error(
      `${measure.operation} ${measure.resource} at ${url}: ${result.non2xx} answers were no 2xx, ${result.errors} failed`,
    );
  }
  return {
    requestsPerSecond: result['2xx'] / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}

const person = {
  name: 'Ada Lovelace',
  phone: '+4915112345678',
  company: 'Analytical Engines',
  tags: ['vip', 'newsletter'],
};
const bodies: Record<Resource, object> = {
  leads: { ...person, source: 'website' },
  contacts: { ...person, title: 'Head of Engineering' },
};

function requestOf({ resource, operation }: Measure, base: string, ids: Ids): autocannon.Request {
  const path = `${base}/${resource}`;
  if (operation === 'list') return { method: 'GET', path };
  if (operation === 'read') {
    let next = 0;
    return {
      method: 'GET',
      setupRequest: (request) => ({
        ...request,
        path: `${path}/${ids[resource][next++ % ids[resource].length]}`,
      }),
    };
  }
  return {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json' },
    setupRequest: (request) => ({
      ...request,
      body: JSON.stringify({ ...bodies[resource], email: `${randomUUID()}@example.com` }),
    }),
  };
}
