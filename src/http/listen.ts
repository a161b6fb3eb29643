import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Express, Request, Response } from 'express';
import { errorCodes } from '../../generated/error-codes.ts';
import type { Config } from '../config.ts';
import { environmentAt } from '../environment.ts';
import type { ProblemCode } from '../problem.ts';
import { limitArrival, withLongRequests } from './body/arrival.ts';
import { apiHeaders, isHttps } from './security.ts';
import { headersTooLarge } from './validation/request-headers.ts';

/** How long a client may take to send its headers and its whole request, and how long idle connections are kept. Milliseconds. */
const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 65_000 };
/** Node checks this often whether a client reads its response, and disconnects it if it has read nothing. Milliseconds. */
const SOCKET_TIMEOUT = 30_000;
/** Far above the limit of request-headers.ts, so that nearly all oversized headers are rejected there, with a full response. Bytes. */
const MAX_HEADER_SIZE = 64 * 1024;
/** Maximum connections that wait to be accepted. Node's default. */
const BACKLOG = 511;

type ListenConfig = Pick<Config, 'host' | 'port' | 'tls'> & { publicUrl: string };

/** A plain field: V8's minor GC can't free responses that were removed from a Set or WeakMap (40 µs per request). */
interface Connection extends Socket {
  /** The response to the latest request, until it is finished. */
  response?: ServerResponse | undefined;
}

interface Listening {
  server: Server;
  /** Waits for running requests for up to `timeout`. See graceful(). Milliseconds. */
  stop(timeout: number, gracePeriod: number): Promise<void>;
}

/** Starts the server, with HTTPS if a certificate is configured. Rejects with a plain message if it can't listen. */
export async function listen(
  app: Express,
  config: ListenConfig,
  timeouts: ServerOptions = TIMEOUTS,
): Promise<Listening> {
  const options = {
    ...withLongRequests(timeouts),
    maxHeaderSize: MAX_HEADER_SIZE,
    // Node's own response has no body; request-headers.ts does this check.
    requireHostHeader: false,
  };
  const headers = apiHeaders(isHttps(config, config.publicUrl));
  const serve = (req: IncomingMessage, res: ServerResponse) =>
    app(req as Request, res as Response, () => answerUnroutable(res, headers));
  const server =
    config.tls === undefined
      ? createServer(options, serve)
      : createTlsServer(
          { ...options, cert: readFileSync(config.tls.certFile), key: readFileSync(config.tls.keyFile) },
          serve,
        );
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  server.timeout = SOCKET_TIMEOUT;
  limitArrival(server, timeouts.requestTimeout ?? 0);
  const stop = graceful(server);
  server.on('clientError', (error: ClientError, socket: Connection) =>
    answerClientError(error, socket, headers),
  );
  await new Promise<void>((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) =>
      reject(new Error(explain(error, config), { cause: error }));
    server.once('error', fail);
    server.listen(config.port, config.host, () => {
      server.off('error', fail);
      resolve();
    });
  });
  return { server, stop };
}

function explain({ code, message }: NodeJS.ErrnoException, { host, port }: ListenConfig) {
  if (code === 'EADDRINUSE') return `Port ${port} on ${host} is already in use. Set PORT to another port.`;
  if (code === 'EACCES')
    return `This user has no permission to listen on port ${port}. Set PORT to another port.`;
  return `Cannot listen on HOST "${host}": ${message}.`;
}

/**
 * Returns the shutdown function: it stops accepting connections, waits up to `timeout` milliseconds for running requests,
 * and closes the remaining connections. Call this before the first request.
 *
 * A proxy may be opening a connection or reusing an idle one just now, and would have to answer its request with 502. So for
 * `gracePeriod` milliseconds, every request is answered with `Connection: close`. Connections opened at the end of it get
 * the same time again.
 */
function graceful(server: Server): Listening['stop'] {
  const connections = new Set<Connection>();
  let running = 0;
  let isStopping = false;
  let mayCloseIdle = false;
  const closeIfIdle = () => {
    if (mayCloseIdle && running === 0) server.closeAllConnections();
  };
  server.prependListener('request', ({ socket }: IncomingMessage, res: ServerResponse) => {
    const connection: Connection = socket;
    if (!connections.has(connection)) connection.once('close', () => connections.delete(connection));
    connections.add(connection);
    connection.response = res;
    running += 1;
    if (isStopping) res.setHeader('Connection', 'close');
    res.once('close', () => {
      if (connection.response === res) connection.response = undefined;
      running -= 1;
      closeIfIdle();
    });
  });
  return async (timeout, gracePeriod) => {
    isStopping = true;
    for (const { response } of connections)
      if (response?.headersSent === false) response.setHeader('Connection', 'close');
    await sleep(gracePeriod);
    await acceptWaiting(server);
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const stopped = Promise.race([closed, sleep(timeout - gracePeriod, undefined, { ref: false })]);
    await Promise.race([stopped, sleep(gracePeriod, undefined, { ref: false })]);
    mayCloseIdle = true;
    closeIfIdle();
    await stopped;
    server.closeAllConnections();
  };
}

/**
 * Accepts the waiting connections, since the system resets them when the socket closes. Node accepts one per turn of the
 * event loop, and the current turn may already have done so.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let hasAccepted = true;
  server.on('connection', () => {
    hasAccepted = true;
  });
  await setImmediate();
  for (let turn = 0; hasAccepted && turn < BACKLOG; turn += 1) {
    hasAccepted = false;
    await setImmediate();
  }
}

/** A target that is not a path, such as `http://[`, matches no route; Express would respond with HTML. */
function answerUnroutable(res: ServerResponse, headers: Record<string, string>): void {
  if (res.headersSent) return void res.destroy();
  const answer = errorResponse('invalid_request', 'The request target is not a path.', randomUUID());
  res.writeHead(400, { ...headers, ...answer.headers }).end(answer.body);
}

interface ClientError extends NodeJS.ErrnoException {
  /** The bytes that failed to parse. */
  rawPacket?: Buffer;
}

/**
 * Responds to requests that Node's parser rejects, since they do not reach the app, or not completely. If the body of the
 * latest request failed to arrive, the error is sent as its response. Earlier ones are answered first.
 */
function answerClientError(error: ClientError, socket: Connection, headers: Record<string, string>): void {
  // The client has disconnected, so no one would receive the response.
  const isGone = error.code === 'ECONNRESET' || error.code === 'HPE_INVALID_EOF_STATE';
  if (isGone || !socket.writable) return void socket.destroy();
  const [code, message] = describeClientError(error.code);
  const status = errorCodes[code];
  const pending = socket.response?.headersSent ? undefined : socket.response;
  if (pending?.req.complete) {
    // The request is valid and gets its own response. Only the bytes after it are invalid.
    pending.setHeader('Connection', 'close');
    return;
  }
  const { requestId, originalUrl } = (pending?.req ?? {}) as Partial<Request>;
  const environment = environmentAt(originalUrl ?? requestTarget(error.rawPacket));
  const answer = errorResponse(code, message, requestId ?? randomUUID());
  const responseHeaders = {
    ...headers,
    ...answer.headers,
    ...(environment !== undefined && { 'X-Environment': environment }),
    Connection: 'close',
  };
  if (pending !== undefined) return void pending.writeHead(status, responseHeaders).end(answer.body);
  const lines = Object.entries({ ...responseHeaders, Date: new Date().toUTCString() }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${answer.body}`);
}

/** The target of the request line in the packet, or an empty string. */
function requestTarget(packet: Buffer | undefined): string {
  return /^[A-Z]+ (\S+) HTTP\//.exec(packet?.toString('latin1', 0, MAX_HEADER_SIZE) ?? '')?.[1] ?? '';
}

function errorResponse(code: ProblemCode, message: string, requestId: string) {
  const body = `${JSON.stringify({ message, code, request_id: requestId })}\n`;
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
  };
  return { body, headers };
}

function describeClientError(code: string | undefined): [code: ProblemCode, message: string] {
  if (code === 'HPE_HEADER_OVERFLOW') return ['headers_too_large', headersTooLarge];
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return ['request_timeout', 'The request did not arrive in time.'];
  return ['invalid_request', 'This is not a valid HTTP/1.1 request.'];
}
