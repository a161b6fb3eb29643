import {
  type ClientRequest,
  createServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type RequestOptions,
  request,
} from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Request, Response } from 'express';
import { basePaths } from '../../environment.ts';
import type { ApiAnswer } from '../../mcp/server.ts';
import type { ApiRequest } from '../../mcp/tools.ts';
import { Problem } from '../../problem.ts';
import { checkText } from '../body/body.ts';
import { whenClosed } from '../when-closed.ts';

/** Headers about the outer request's connection, body or answer. All others count for the inner one too. */
const OUTER =
  /^(accept|accept-.+|connection|content-.+|expect|if-.+|idempotency-key|keep-alive|mcp-.+|origin|te|trailer|transfer-encoding|upgrade)$/;

/** Returns what sends inner requests for an outer one. They end when its client leaves, and no more begin. */
type InnerRequests = (req: Request, res: Response) => (inner: ApiRequest) => Promise<ApiAnswer>;

/**
 * Sends requests to the app within the process, as if the client had sent them to the API: with its credential, address and
 * request id. So a tool's call passes every middleware, and there is no second way to run an operation.
 */
export function createInnerRequests(app: RequestListener): InnerRequests {
  const server = createServer(app);
  return (req, res) => {
    const running = new Set<ClientRequest>();
    whenClosed(res, () => {
      for (const one of running) one.destroy();
    });
    return async (inner) => {
      if (res.closed) throw new Problem('request_timeout', 'The client has disconnected.');
      const body = inner.body && toJson(inner.body);
      const { promise, resolve, reject } = Promise.withResolvers<ApiAnswer>();
      const sent = request(optionsOf(req, inner, connect(req)));
      running.add(sent.on('error', reject).on('close', () => running.delete(sent)));
      sent.on('response', (response) => {
        const { statusCode: status = 0 } = response;
        text(response).then((answer) => resolve({ status, text: answer }), reject);
      });
      sent.end(body);
      return promise;
    };
  };

  /** The client's end of a connection within the process. The service's end has the client's address. */
  function connect({ socket }: Request): Duplex {
    const [near, far] = duplexPair();
    const { remoteAddress } = socket;
    server.emit('connection', Object.assign(far, { remoteAddress, encrypted: 'encrypted' in socket }));
    return near;
  }
}

/** Throws 400 for what is nested so deep that it can't be written. */
function toJson(body: object): string {
  checkText(body);
  return JSON.stringify(body);
}

function optionsOf(req: Request, { method, path, body }: ApiRequest, connection: Duplex): RequestOptions {
  return {
    createConnection: () => connection,
    method,
    path: basePaths[req.environment] + path,
    headers: { ...innerHeaders(req), ...(body !== undefined && { 'content-type': 'application/json' }) },
  };
}

function innerHeaders({ headers, requestId }: Request): IncomingHttpHeaders {
  const kept = Object.entries(headers).filter(([name]) => !OUTER.test(name));
  return { ...Object.fromEntries(kept), accept: 'application/json', 'x-request-id': requestId };
}
