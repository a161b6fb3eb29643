import { setTimeout as sleep } from 'node:timers/promises';

type Fetch = (request: Request) => Promise<Response>;

const MAX_ATTEMPTS = 5;
/** Too many requests, and a service that is busy or restarts. */
const TEMPORARY = [429, 503];
const IDEMPOTENT = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'];

/** Whether the request is safe to repeat. */
function isRepeatable({ method, headers }: Request): boolean {
  return IDEMPOTENT.includes(method) || headers.has('Idempotency-Key');
}

/**
 * Sends a request again after a 429 or 503, and after a lost connection. Waits as long as `Retry-After` says, otherwise
 * about 1, 2, 4 and 8 seconds.
 */
export function withRetries(fetch: Fetch, mayRepeat = isRepeatable): Fetch {
  return async (request) => {
    for (let attempt = 1; ; attempt += 1) {
      const isLast = !mayRepeat(request) || attempt === MAX_ATTEMPTS;
      // Each attempt sends the body, which can be read only once.
      const response = await fetch(request.clone()).catch((error: unknown) => {
        // fetch throws a TypeError if there was no answer.
        if (isLast || !(error instanceof TypeError)) throw error;
        return undefined;
      });
      if (response !== undefined && (isLast || !TEMPORARY.includes(response.status))) return response;
      const wait = retryAfter(response) ?? 2 ** (attempt - 1) * 1000 * (0.5 + Math.random());
      await response?.body?.cancel();
      await sleep(wait, undefined, { signal: request.signal });
    }
  };
}

/** Milliseconds. The header has seconds or a date. */
function retryAfter(response: Response | undefined): number | undefined {
  const value = response?.headers.get('Retry-After');
  if (value === null || value === undefined) return undefined;
  const wait = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
