import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  createServer,
  IncomingMessage,
  type Server,
  type ServerOptions,
  ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Express, Request, Response } from 'express';
import type { Config } from '../config.ts';
import { environmentAt } from '../environment.ts';
import { headersTooLarge } from './header-size.ts';
import { apiHeaders, isHttps } from './security.ts';
import { UnsentAnswers } from './unsent.ts';

/** Milliseconds. A client must send its headers, then its whole request, within these; an idle connection is kept as long. */
const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 65_000 };
/** Far above what header-size.ts lets through, so that nearly all that is too large is refused there, as a request of its path. */
const MAX_HEADER_SIZE = 64 * 1024;

type ListenConfig = Pick<Config, 'host' | 'port' | 'tls'> & { publicUrl: string };

/** Listens over HTTPS where the configuration has a certificate. Rejects, with a plain reason, when it can't. */
export async function listen(
  app: Express,
  config: ListenConfig,
  timeouts: ServerOptions = TIMEOUTS,
): Promise<Server> {
  const unsent = new UnsentAnswers();
  const options = {
    ...timeouts,
    maxHeaderSize: MAX_HEADER_SIZE,
    // Node would answer without a body; the app does it better (request-headers.ts).
    requireHostHeader: false,
    ...messagesOf(app, unsent),
  };
  const headers = apiHeaders(isHttps(config, config.publicUrl));
  /** The latest on each connection. */
  const responses = new WeakMap<Socket, ServerResponse>();
  const serve = (req: IncomingMessage, res: ServerResponse) => {
    responses.set(req.socket, res);
    app(req as Request, res as Response, () => answerUnroutable(res, headers));
  };
  const server =
    config.tls === undefined
      ? createServer(options, serve)
      : createTlsServer(
          { ...options, cert: readFileSync(config.tls.certFile), key: readFileSync(config.tls.keyFile) },
          serve,
        );
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  unsent.watch(server);
  server.on('clientError', (error: ClientError, socket: Socket) =>
    answerClientError(error, socket, responses.get(socket), headers),
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
  return server;
}

/**
 * Express gives each request and response another prototype, which makes V8 forget the shape of both and slows down
 * all that comes after. Born with that prototype, they keep it.
 */
function messagesOf(app: Express, unsent: UnsentAnswers) {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {
    override end(...args: unknown[]): this {
      super.end(...(args as []));
      unsent.add(this);
      return this;
    }
  }
  adopt(AppRequest.prototype, app.request);
  adopt(AppResponse.prototype, app.response);
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

function adopt(prototype: object, parent: object): void {
  Object.setPrototypeOf(prototype, parent);
}

function explain({ code, message }: NodeJS.ErrnoException, { host, port }: ListenConfig) {
  if (code === 'EADDRINUSE') return `Port ${port} of ${host} is taken. Choose another with PORT.`;
  if (code === 'EACCES')
    return `Port ${port} needs more rights than this user has. Choose another with PORT.`;
  return `HOST "${host}" can't be listened on: ${message}.`;
}

/**
 * Gives the server's end: it refuses connections from then on, lets running requests finish for `patience`
 * milliseconds, and cuts whatever is left. Call this before the first request.
 */
export function graceful(server: Server, patience: number): () => Promise<void> {
  // By connection, since V8 keeps what a churning set of responses once held until the next full collection.
  const running = new Map<Socket, ServerResponse | undefined>();
  // Node itself keeps a connection on which nothing was sent yet, and one that is kept alive after its last answer.
  const closeIfIdle = () => {
    const isIdle = [...running.values()].every((res) => res === undefined);
    if (isIdle) server.closeAllConnections();
  };
  server.prependListener('request', ({ socket }: IncomingMessage, res: ServerResponse) => {
    if (!running.has(socket)) socket.once('close', () => running.delete(socket));
    running.set(socket, res);
    if (!server.listening) res.setHeader('Connection', 'close');
    res.once('close', () => {
      if (running.has(socket)) running.set(socket, undefined);
      if (!server.listening) closeIfIdle();
    });
  });
  return async () => {
    let timer: NodeJS.Timeout | undefined;
    const patienceEnds = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, patience);
    });
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const res of running.values()) if (res?.headersSent === false) res.setHeader('Connection', 'close');
    closeIfIdle();
    await Promise.race([closed, patienceEnds]);
    clearTimeout(timer);
    server.closeAllConnections();
  };
}

/** A target that is no path, such as `http://[`, passes every route of Express, which would then answer in HTML. */
function answerUnroutable(res: ServerResponse, headers: Record<string, string>): void {
  if (res.headersSent) return void res.destroy();
  const answer = refusal('invalid_request', 'The request target is not a path.', randomUUID());
  res.writeHead(400, { ...headers, ...answer.headers }).end(answer.body);
}

interface ClientError extends NodeJS.ErrnoException {
  /** What was being read. */
  rawPacket?: Buffer;
}

/**
 * What Node's parser refuses does not reach the app, or not as a whole, so it is answered here, in the same words.
 * `latest` is the response to the latest request on the connection: where its body did not come, the refusal is its answer.
 */
function answerClientError(
  error: ClientError,
  socket: Socket,
  latest: ServerResponse | undefined,
  headers: Record<string, string>,
): void {
  // Of a request that breaks off nobody waits for the answer.
  const isGone = error.code === 'ECONNRESET' || error.code === 'HPE_INVALID_EOF_STATE';
  if (isGone || !socket.writable) return void socket.destroy();
  const [status, code, message] = describeClientError(error.code);
  const pending = latest?.socket === socket && !latest.headersSent ? latest : undefined;
  const { requestId, originalUrl } = (pending?.req ?? {}) as Partial<Request>;
  const environment = environmentAt(originalUrl ?? targetIn(error.rawPacket));
  const answer = refusal(code, message, requestId ?? randomUUID());
  const sent = {
    ...headers,
    ...answer.headers,
    ...(environment !== undefined && { 'X-Environment': environment }),
    Connection: 'close',
  };
  if (pending !== undefined) return void pending.writeHead(status, sent).end(answer.body);
  const lines = Object.entries({ ...sent, Date: new Date().toUTCString() }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${answer.body}`);
}

/** The target of the request that a packet begins with, if it does. */
function targetIn(packet: Buffer | undefined): string {
  return /^[A-Z]+ (\S+) HTTP\//.exec(packet?.toString('latin1', 0, MAX_HEADER_SIZE) ?? '')?.[1] ?? '';
}

function refusal(code: string, message: string, requestId: string) {
  const body = JSON.stringify({ message, code, request_id: requestId });
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
  };
  return { body, headers };
}

function describeClientError(code: string | undefined): [status: number, code: string, message: string] {
  if (code === 'HPE_HEADER_OVERFLOW') return [431, 'headers_too_large', headersTooLarge];
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return [408, 'request_timeout', 'The request did not arrive in time.'];
  }
  return [400, 'invalid_request', 'This is not a valid HTTP/1.1 request.'];
}
