import http, {
  type ClientRequestArgs,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestOptions,
} from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { checkUrl, type TargetRules } from '../webhooks/target.ts';
import { createLookup } from './lookup.ts';
import { MeteredSocket, ResponseTooLong } from './metered-socket.ts';
import { parseRetryAfter } from './schedule.ts';

/** Milliseconds for the whole exchange: DNS, connection, TLS, headers and body. */
const TIMEOUT = 15_000;
/** Maximum bytes of a response body to keep. */
const MAX_KEPT_BYTES = 2 * 1024;
/** Maximum chunks of a response body to read: each costs a callback, even if it has a single byte. */
const MAX_CHUNKS = 1_000;
/** Maximum interim responses (1xx) before the final one. */
const MAX_INTERIM_RESPONSES = 10;
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

// Dedicated agents, because environment variables can make Node's global agents use a proxy.
class HttpAgent extends http.Agent {
  override createConnection(options: ClientRequestArgs) {
    return new MeteredSocket(super.createConnection(options) as Socket);
  }
}

class HttpsAgent extends https.Agent {
  override createConnection(options: ClientRequestArgs) {
    return new MeteredSocket(super.createConnection(options) as Socket);
  }
}

/** Posts to untrusted URLs: checks addresses, follows no redirects, and limits time, size and work. */
export function createSender(
  rules: TargetRules,
  {
    lookup = createLookup(rules),
    timeout = TIMEOUT,
  }: { lookup?: ReturnType<typeof createLookup>; timeout?: number } = {},
): Sender {
  const options = {
    keepAlive: true,
    maxFreeSockets: MAX_IDLE_SOCKETS,
    timeout: IDLE_TIMEOUT,
    scheduling: 'lifo',
    autoSelectFamily: true,
    lookup,
  } as const;
  let closed = false;
  const agents = { 'http:': new HttpAgent(options), 'https:': new HttpsAgent(options) };

  function exchange(url: URL, options: RequestOptions, body: string): Promise<PostResult> {
    return new Promise((resolve, reject) => {
      const protocol = url.protocol as keyof typeof agents;
      const { request } = protocol === 'https:' ? https : http;
      const req = request(url, { ...options, method: 'POST', agent: agents[protocol] });
      let connection: MeteredSocket | undefined;
      let interim = 0;
      let response: IncomingMessage | undefined;
      req.once('socket', (socket) => {
        connection = socket as Duplex as MeteredSocket;
        connection.startResponse();
      });
      req.on('information', () => {
        interim += 1;
        if (interim > MAX_INTERIM_RESPONSES) req.destroy(new TooManyInterimResponses());
      });
      req.on('error', (error) => {
        if (error instanceof ResponseTooLong && response !== undefined) response.destroy(error);
        else reject(Object.assign(error, { wasClosed: req.reusedSocket && connection?.isSilent }));
      });
      req.once('close', () => {
        // After a 101 there is no response, and no error either.
        if (response === undefined) reject(Object.assign(new Error(), { code: 'ECONNRESET' }));
      });
      req.once('response', (res) => {
        response = res;
        readResponse(res).then(resolve, reject);
      });
      req.end(body);
    });
  }

  async function attempt(url: URL, options: RequestOptions, body: string): Promise<PostResult> {
    try {
      return await exchange(url, options, body);
    } catch (error) {
      // Retry: the receiver closed an idle connection just as it was reused.
      if (!(error as { wasClosed?: boolean }).wasClosed || options.signal?.aborted || closed) throw error;
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
            : describeSendError(error),
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

/** Resolves with what arrived when the body is too long: the status is known by then. */
function readResponse(res: IncomingMessage): Promise<PostResult> {
  const kept: Buffer[] = [];
  let size = 0;
  let chunks = 0;
  return new Promise((resolve, reject) => {
    res.on('data', (chunk: Buffer) => {
      if (size < MAX_KEPT_BYTES) kept.push(chunk);
      size += chunk.length;
      chunks += 1;
      if (chunks > MAX_CHUNKS) res.destroy(new ResponseTooLong());
    });
    res.on('end', () => resolve(resultOf(res, kept)));
    res.on('error', (error) => {
      if (error instanceof ResponseTooLong) resolve(resultOf(res, kept));
      else reject(error);
    });
  });
}

function resultOf(res: IncomingMessage, body: readonly Buffer[]): PostResult {
  // PostgreSQL's text type can't store NUL. Each byte that isn't text becomes three, hence the second cut.
  const text = decode(Buffer.concat(body)).replaceAll('\0', '\uFFFD');
  return {
    statusCode: res.statusCode ?? null,
    error: null,
    body: decode(Buffer.from(text)),
    retryAfter: parseRetryAfter(res.headers['retry-after'], Date.now()),
  };
}

/** The first bytes as text, without a character that is cut off. */
function decode(bytes: Buffer): string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return decoder.decode(bytes.subarray(0, MAX_KEPT_BYTES), { stream: true });
}

class TooManyInterimResponses extends Error {
  override name = 'TooManyInterimResponses';
  override message =
    `More than ${MAX_INTERIM_RESPONSES} interim responses (1xx) arrived before the final one.`;
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

function describeSendError(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  // After a semicolon, Node gives advice to its operator, which is not for the subscriber.
  return reasons[code] ?? (message.split(';')[0] || code || 'The request failed.');
}
