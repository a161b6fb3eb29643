/** Maximum response time. Milliseconds. */
const MAX_RESPONSE_TIME = 20_000;

export interface ClientResponse {
  status: number;
  body: unknown;
}

/** The address of the service and the credentials for it. */
export interface Access {
  /** Base URL, including the version. */
  url: string;
  clientId: string;
  clientSecret: string;
}

/** The fault that is being injected, or from which the service recovers. */
export interface Current {
  fault?: { name: string; disruptive: boolean };
  /** When it began. */
  since: number;
}

export interface Tally {
  requests: number;
  writes: number;
  /** Response times. Milliseconds. */
  durations: number[];
  /** Counts by what failed and when: a status with its code, or a connection error; and the second of which fault. */
  failures: Map<string, Map<string, number>>;
  /** Broken guarantees, one sentence each. */
  violations: string[];
}

export function createTally(): Tally {
  return { requests: 0, writes: 0, durations: [], failures: new Map(), violations: [] };
}

interface Extras {
  key?: string;
  contentType?: string;
}

export type Client = ReturnType<typeof createClient>;

/** A client that renews its token. `send` returns undefined when the connection failed. */
export function createClient(access: Access, tally: Tally, current: Current) {
  let token = '';

  async function send(
    method: string,
    path: string,
    body?: object | string,
    { key, contentType = 'application/json' }: Extras = {},
  ): Promise<ClientResponse | undefined> {
    const startedAt = performance.now();
    const before = current.fault;
    try {
      const fetched = await fetch(access.url + path, {
        method,
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': contentType,
          ...(key && { 'Idempotency-Key': key }),
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        signal: AbortSignal.timeout(2 * MAX_RESPONSE_TIME),
      });
      const text = await fetched.text();
      const isJson = fetched.headers.get('content-type')?.startsWith('application/json');
      const response = { status: fetched.status, body: isJson ? JSON.parse(text) : text };
      record(startedAt, response, `${method} ${path}`, before);
      return response;
    } catch (error) {
      const { cause, name } = error as Error & { cause?: { code?: string } };
      fail(cause?.code ?? name, `${method} ${path}`, startedAt, before);
      return undefined;
    }
  }

  function record(
    startedAt: number,
    { status, body }: ClientResponse,
    request: string,
    before: Current['fault'],
  ): void {
    const duration = performance.now() - startedAt;
    tally.requests += 1;
    tally.durations.push(duration);
    const code = (body as { code?: string } | undefined)?.code;
    if (status >= 500) fail(`${status} ${code}`, request, startedAt, before);
    else if (duration > MAX_RESPONSE_TIME)
      tally.violations.push(`${request} took ${(duration / 1000).toFixed(1)} s.`);
  }

  function fail(reason: string, request: string, startedAt: number, before: Current['fault']): void {
    const fault = current.fault ?? before;
    const second = Math.floor((performance.now() - current.since) / 1000);
    const when = fault === undefined ? 'without a fault' : `${fault.name}, second ${second}`;
    const counts = tally.failures.get(reason) ?? new Map<string, number>();
    tally.failures.set(reason, counts.set(when, (counts.get(when) ?? 0) + 1));
    const duration = performance.now() - startedAt;
    if (duration > MAX_RESPONSE_TIME + 1_000)
      tally.violations.push(`${request} took ${(duration / 1000).toFixed(1)} s: ${reason}.`);
    const mayFail = before?.disruptive || current.fault?.disruptive;
    if (reason.startsWith('500') || !mayFail) {
      tally.violations.push(`${request} failed (${when}): ${reason}.`);
    }
  }

  async function renew(): Promise<void> {
    const response = await send('POST', '/auth/token', {
      grant_type: 'client_credentials',
      client_id: access.clientId,
      client_secret: access.clientSecret,
    });
    if (response?.status === 200) token = (response.body as { access_token: string }).access_token;
  }

  return {
    renew,
    async send(
      method: string,
      path: string,
      body?: object | string,
      extras?: Extras,
    ): Promise<ClientResponse | undefined> {
      if (token === '') await renew();
      const response = await send(method, path, body, extras);
      if (response?.status === 401) token = '';
      return response;
    },
  };
}
