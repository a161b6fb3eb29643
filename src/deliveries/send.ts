import type { IncomingMessage, OutgoingHttpHeaders, RequestOptions } from 'node:http';
import { http, https } from '../node-http.ts';
import { createLookup } from './lookup.ts';
import { parseRetryAfter } from './schedule.ts';
import { checkUrl, type TargetRules } from './target.ts';

/** Milliseconds for the whole exchange: DNS, connection, TLS, headers and body. */
const TIMEOUT = 15_000;
/** Maximum bytes of a response body to read. */
const MAX_READ_BYTES = 64 * 1024;
/** Maximum bytes of a response body to keep. */
const MAX_KEPT_BYTES = 2 * 1024;
/** Idle connections to keep per origin, and for how many milliseconds. */
const MAX_IDLE_SOCKETS = 64;
const IDLE_TIMEOUT = 30_000;

/** Result of a POST. Exactly one of statusCode and error is null. */
export interface PostResult {
  statusCode: number | null;
  error: string | null;
  /** The response body, truncated. */
  body: string | null;
  /** Milliseconds. */
  retryAfter?: number | undefined;
}

export interface Sender {
  /** Never rejects. */
  post(url: string, headers: Record<string, string>, body: string): Promise<PostResult>;
  /** Aborts running requests. */
  close(): void;
}

/** Posts to untrusted URLs: checks addresses, follows no redirects, and limits time and size. */
export function createSender(
  rules: TargetRules,
  {
    lookup = createLookup(rules),
    timeout = TIMEOUT,
  }: { lookup?: ReturnType<typeof createLookup>; timeout?: number } = {},
): Sender {
  // Dedicated agents, because environment variables can make Node's global agents use a proxy.
  const options = {
    keepAlive: true,
    maxFreeSockets: MAX_IDLE_SOCKETS,
    timeout: IDLE_TIMEOUT,
    scheduling: 'lifo',
    autoSelectFamily: true,
    lookup,
  } as const;
  let closed = false;
  const agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) };

  function exchange(url: URL, options: RequestOptions, body: string): Promise<PostResult> {
    return new Promise((resolve, reject) => {
      const protocol = url.protocol as keyof typeof agents;
      const { request } = protocol === 'https:' ? https : http;
      const req = request(url, { ...options, method: 'POST', agent: agents[protocol] });
      req.on('error', (error) => reject(Object.assign(error, { wasIdle: req.reusedSocket })));
      req.once('response', (res) => readResponse(res).then(resolve, reject));
      req.end(body);
    });
  }

  async function attempt(url: URL, options: RequestOptions, body: string): Promise<PostResult> {
    try {
      return await exchange(url, options, body);
    } catch (error) {
      // Retry: the receiver closed an idle connection just as it was reused.
      if (!(error as { wasIdle?: boolean }).wasIdle || options.signal?.aborted || closed) throw error;
      return await exchange(url, options, body);
    }
  }

  return {
    async post(text, headers, body) {
      const fault = checkUrl(text, rules);
      if (fault !== undefined) return failure(fault);
      const controller = new AbortController();
      const timer = setTimeout(() => controller.abort(), timeout);
      try {
        return await attempt(
          new URL(text),
          { headers: headersFor(headers, body), signal: controller.signal },
          body,
        );
      } catch (error) {
        return failure(
          controller.signal.aborted
            ? `No complete response within ${timeout / 1000} seconds.`
            : explain(error),
        );
      } finally {
        clearTimeout(timer);
      }
    },
    close() {
      closed = true;
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

function headersFor(headers: Record<string, string>, body: string): OutgoingHttpHeaders {
  return {
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'User-Agent': 'lead-pipeline-api',
  };
}

/** Stops reading when the body is too long: the status is known by then. */
async function readResponse(res: IncomingMessage): Promise<PostResult> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of res) {
    if (size < MAX_KEPT_BYTES) chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_READ_BYTES) break;
  }
  const kept = Buffer.concat(chunks).subarray(0, MAX_KEPT_BYTES);
  return {
    statusCode: res.statusCode ?? null,
    error: null,
    // PostgreSQL's text type can't store NUL.
    body: kept.toString('utf8').replaceAll('\0', '\uFFFD'),
    retryAfter: parseRetryAfter(res.headers['retry-after'], Date.now()),
  };
}

function failure(error: string): PostResult {
  return { statusCode: null, error, body: null };
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before a response arrived.',
  ENOTFOUND: 'The host name has no address.',
  EAI_AGAIN: 'The host name could not be resolved.',
  ETIMEDOUT: 'The connection timed out.',
  EHOSTUNREACH: 'The host is unreachable.',
  ENETUNREACH: 'The network of the host is unreachable.',
};

function explain(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  // After a semicolon, Node gives advice to its operator, which is not for the subscriber.
  return reasons[code] ?? (message.split(';')[0] || code || 'The request failed.');
}
