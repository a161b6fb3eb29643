import http from 'node:http';
import https from 'node:https';
import { createLookup } from './lookup.ts';
import { parseRetryAfter } from './schedule.ts';
import { checkUrl, type TargetRules } from './target.ts';

/** All of it: name, connection, TLS, headers and body (milliseconds). */
const TIMEOUT = 15_000;
/** More of an answer is not read (bytes). */
const MAX_READ = 64 * 1024;
/** More of an answer is not kept (bytes). */
const MAX_KEPT = 2 * 1024;
/** So many idle connections are kept for the next deliveries to the same origin, and for so long (milliseconds). */
const MAX_IDLE = 64;
const IDLE_TIMEOUT = 30_000;

/** What came of an attempt. Exactly one of statusCode and error is null, unless an answer broke off. */
export interface Answer {
  statusCode: number | null;
  error: string | null;
  /** What was read of the body, up to what is kept. */
  body: string | null;
  /** Milliseconds. */
  retryAfter?: number | undefined;
}

export interface Sender {
  /** Never rejects. */
  post(url: string, headers: Record<string, string>, body: string): Promise<Answer>;
  /** Cuts what is under way. */
  close(): void;
}

/** Posts to addresses that somebody else has given: follows nothing, trusts nothing, waits for nothing without end. */
export function createSender(
  rules: TargetRules,
  {
    lookup = createLookup(rules),
    timeout = TIMEOUT,
  }: { lookup?: ReturnType<typeof createLookup>; timeout?: number } = {},
): Sender {
  // Of our own, since Node's global agents may be told to use a proxy by the environment.
  const options = {
    keepAlive: true,
    maxFreeSockets: MAX_IDLE,
    timeout: IDLE_TIMEOUT,
    scheduling: 'lifo',
    lookup,
  } as const;
  let closed = false;
  const agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) };

  function exchange(url: URL, options: http.RequestOptions, body: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const protocol = url.protocol as keyof typeof agents;
      const { request } = protocol === 'https:' ? https : http;
      const req = request(url, { ...options, method: 'POST', agent: agents[protocol] });
      req.on('error', (error) => reject(Object.assign(error, { wasIdle: req.reusedSocket })));
      req.once('response', (res) => readAnswer(res).then(resolve, reject));
      req.end(body);
    });
  }

  async function attempt(url: URL, options: http.RequestOptions, body: string): Promise<Answer> {
    try {
      return await exchange(url, options, body);
    } catch (error) {
      // The receiver has closed an idle connection at the moment in which it was used again.
      if (!(error as { wasIdle?: boolean }).wasIdle || options.signal?.aborted || closed) throw error;
      return await exchange(url, options, body);
    }
  }

  return {
    async post(text, headers, body) {
      const fault = checkUrl(text, rules);
      if (fault !== undefined) return failure(fault);
      const cut = new AbortController();
      const timer = setTimeout(() => cut.abort(), timeout);
      try {
        return await attempt(new URL(text), { headers: headersFor(headers, body), signal: cut.signal }, body);
      } catch (error) {
        return failure(
          cut.signal.aborted ? `No complete answer within ${timeout / 1000} seconds.` : explain(error),
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

function headersFor(headers: Record<string, string>, body: string): http.OutgoingHttpHeaders {
  return {
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'User-Agent': 'lead-pipeline-api',
  };
}

/** The rest of a body that is too long is not waited for: its status is known by then. */
async function readAnswer(res: http.IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of res) {
    if (size < MAX_KEPT) chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_READ) break;
  }
  const kept = Buffer.concat(chunks).subarray(0, MAX_KEPT);
  return {
    statusCode: res.statusCode ?? null,
    error: null,
    // PostgreSQL keeps no NUL in a text.
    body: kept.toString('utf8').replaceAll('\0', '\uFFFD'),
    retryAfter: parseRetryAfter(res.headers['retry-after'], Date.now()),
  };
}

function failure(error: string): Answer {
  return { statusCode: null, error, body: null };
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before an answer came.',
  ENOTFOUND: 'The name of the host has no address.',
  EAI_AGAIN: 'The name of the host could not be looked up.',
  ETIMEDOUT: 'The connection could not be made in time.',
  EHOSTUNREACH: 'The host can not be reached.',
  ENETUNREACH: 'The network of the host can not be reached.',
};

function explain(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  // Behind the semicolon Node tells its operator what to do, which is not for the subscriber.
  return reasons[code] ?? (message.split(';')[0] || code || 'The request failed.');
}
