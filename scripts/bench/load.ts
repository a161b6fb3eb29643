import autocannon from 'autocannon';

export interface Target {
  /** Base URL, including the version, such as http://127.0.0.1:3000/v1. */
  url: string;
  token: string;
}

/** `path` is below the base URL, such as `/leads?page=2`. */
export interface ApiRequest {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  body?: object;
}

interface LoadResult {
  requests: number;
  requestsPerSecond: number;
  /** Milliseconds. */
  p99: number;
}

const CONNECTIONS = 16;

/**
 * Sends requests over sixteen keep-alive connections for `seconds`. `next` builds request number `turn`, all with the same
 * method. Throws on any response other than 2xx, and without any response.
 */
export async function load(
  { url, token }: Target,
  next: (turn: number) => ApiRequest,
  seconds: number,
): Promise<LoadResult> {
  const base = new URL(url).pathname;
  const { method, path } = next(0);
  let turn = 0;
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    requests: [
      {
        method,
        setupRequest: (request) => {
          turn += 1;
          const { path, body } = next(turn);
          return { ...request, path: base + path, body: body && JSON.stringify(body) };
        },
      },
    ],
  });
  const { non2xx, errors, duration, latency } = result;
  const requests = result['2xx'];
  if (non2xx > 0 || errors > 0) {
    throw new Error(
      `${method} ${path} at ${url}: ${non2xx} responses were not 2xx, ${errors} requests failed`,
    );
  }
  if (requests === 0) throw new Error(`${method} ${path} at ${url}: no response within ${seconds} seconds`);
  return { requests, requestsPerSecond: requests / duration, p99: latency.p99 };
}

/** Sends one request and returns the parsed body. Throws on a response other than 2xx. */
export async function send({ url, token }: Target, { method, path, body }: ApiRequest): Promise<unknown> {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} at ${url}: ${response.status} ${text}`);
  return JSON.parse(text);
}
