import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Express, Request, Response } from 'express';
import type { Config } from '../config.ts';
import { environmentAt } from '../environment.ts';
import { http, https } from '../node-http.ts';
import type { ProblemCode } from '../problem.ts';
import { problemCodes } from '../problem-codes.ts';
import { limitArrival, withLongRequests } from './limits/arrival.ts';
import { UnsentResponses } from './limits/unsent.ts';
import { apiHeaders, isHttps } from './security.ts';
import { headersTooLarge } from './validation/request-headers.ts';

/** How long a client may take to send its headers and its whole request, and how long idle connections are kept. Milliseconds. */
const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 65_000 };
/** Far above the limit of request-headers.ts, so that nearly all oversized headers are rejected there, with a full response. Bytes. */
const MAX_HEADER_SIZE = 64 * 1024;
/** How many connections the system lets wait to be accepted: Node's default. */
const BACKLOG = 511;

type ListenConfig = Pick<Config, 'host' | 'port' | 'tls'> & { publicUrl: string };

/** Response to the latest request on a connection, until its headers are sent. Not in a WeakMap: see arrival.ts. */
const LATEST = Symbol('latest response');

type Connection = Socket & { [LATEST]?: ServerResponse | undefined };

interface State {
  isStopping: boolean;
}

interface Listening {
  server: Server;
  /** Stops accepting, and waits for running requests. Milliseconds. */
  stop(timeout: number, idleTimeout: number): Promise<void>;
}

/** Starts the server, with HTTPS if a certificate is configured. Rejects with a plain message if it can't listen. */
export async function listen(
  app: Express,
  config: ListenConfig,
  timeouts: ServerOptions = TIMEOUTS,
): Promise<Listening> {
  const unsent = new UnsentResponses();
  const state: State = { isStopping: false };
  const options = {
    ...withLongRequests(timeouts),
    maxHeaderSize: MAX_HEADER_SIZE,
    // Node's own response has no body; request-headers.ts does this check.
    requireHostHeader: false,
    ...classesOf(app, state),
  };
  countUnsent(app, unsent);
  const headers = apiHeaders(isHttps(config, config.publicUrl));
  const serve = (req: IncomingMessage, res: ServerResponse) => {
    (req.socket as Connection)[LATEST] = res;
    app(req as Request, res as Response, () => answerUnroutable(res, headers));
  };
  const server =
    config.tls === undefined
      ? http.createServer(options, serve)
      : https.createServer(
          { ...options, cert: readFileSync(config.tls.certFile), key: readFileSync(config.tls.keyFile) },
          serve,
        );
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  unsent.watch(server);
  limitArrival(server, timeouts.requestTimeout ?? 0);
  server.on('clientError', (error: ClientError, socket: Connection) =>
    answerClientError(error, socket, headers),
  );
  const stop = graceful(server, state);
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

/**
 * Classes of requests and responses with the prototypes of this app. Express gives each object its prototype otherwise,
 * which takes longer than to make it. When the server stops, each response tells that its connection closes.
 */
function classesOf(app: Express, state: State) {
  class AppRequest extends http.IncomingMessage {}
  class AppResponse extends http.ServerResponse {
    override writeHead(...args: unknown[]): this {
      if (state.isStopping) this.setHeader('Connection', 'close');
      const connection: Connection = this.req.socket;
      // A closed connection stays in memory until V8's next slow collection. Its request need not.
      if (connection[LATEST] === this) connection[LATEST] = undefined;
      return super.writeHead(...(args as Parameters<ServerResponse['writeHead']>));
    }
  }
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  app.request = AppRequest.prototype as Request;
  app.response = AppResponse.prototype as Response;
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

/** Counts what clients leave unread, for every response. */
function countUnsent(app: Express, unsent: UnsentResponses): void {
  const { end } = http.ServerResponse.prototype;
  app.response.end = function (this: Response, ...args: unknown[]) {
    end.apply(this, args as never);
    unsent.add(this);
    return this;
  };
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
 * Idle connections are still served for `idleTimeout` milliseconds: a proxy that keeps them for its next requests may be
 * sending one at this moment, and would have to answer it with 502. By then, a proxy has closed or used them.
 */
function graceful(server: Server, state: State): Listening['stop'] {
  // Only their number: what a collection refers to that lives as long as the server, V8 takes for long-lived as well.
  let running = 0;
  let mayCloseIdle = false;
  const closeIfIdle = () => {
    if (mayCloseIdle && running === 0) server.closeAllConnections();
  };
  const finished = () => {
    running -= 1;
    closeIfIdle();
  };
  server.prependListener('request', (_req: IncomingMessage, res: ServerResponse) => {
    running += 1;
    res.once('close', finished);
  });
  return async (timeout, idleTimeout) => {
    state.isStopping = true;
    await acceptWaiting(server);
    // Not that of an HTTP server, which closes idle connections at once.
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
    const stopped = Promise.race([closed, sleep(timeout, undefined, { ref: false })]);
    await Promise.race([stopped, sleep(idleTimeout, undefined, { ref: false })]);
    mayCloseIdle = true;
    closeIfIdle();
    await stopped;
    server.closeAllConnections();
  };
}

/**
 * Accepts the connections that wait for it, as the system resets them when the socket closes. Node accepts one in each turn
 * of its loop, and the turn that is running now may be over with that.
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
  const latest = socket[LATEST];
  const [code, message] = describeClientError(error.code);
  const { status } = problemCodes[code];
  const pending = latest?.headersSent ? undefined : latest;
  if (pending?.req.complete) {
    // It runs, and has an answer of its own. What follows it is wrong.
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
  socket.end(`HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\n${lines.join('')}\r\n${answer.body}`);
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
