import { randomUUID } from 'node:crypto';
import autocannon from 'autocannon';

export type Measure = 'list' | 'read' | 'create';
export const measures = ['list', 'read', 'create'] as const satisfies readonly Measure[];

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
  leadIds: readonly string[],
  seconds: number,
): Promise<LoadResult> {
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    headers: { authorization: `Bearer ${token}` },
    requests: [requestOf(measure, new URL(url).pathname, leadIds)],
  });
  if (result.non2xx > 0 || result.errors > 0 || result['2xx'] === 0) {
    throw new Error(`${measure} at ${url}: ${result.non2xx} answers were no 2xx, ${result.errors} failed`);
  }
  return {
    requestsPerSecond: result['2xx'] / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}

function requestOf(measure: Measure, base: string, leadIds: readonly string[]): autocannon.Request {
  if (measure === 'list') return { method: 'GET', path: `${base}/leads` };
  if (measure === 'read') {
    let next = 0;
    return {
      method: 'GET',
      setupRequest: (request) => ({ ...request, path: `${base}/leads/${leadIds[next++ % leadIds.length]}` }),
    };
  }
  return {
    method: 'POST',
    path: `${base}/leads`,
    headers: { 'content-type': 'application/json' },
    setupRequest: (request) => ({
      ...request,
      body: JSON.stringify({
        name: 'Ada Lovelace',
        email: `${randomUUID()}@example.com`,
        phone: '+4915112345678',
        company: 'Analytical Engines',
        source: 'website',
        tags: ['vip', 'newsletter'],
      }),
    }),
  };
}
