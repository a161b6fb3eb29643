import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Response as HttpResponse, Request, RequestHandler } from 'express';
import { createMcpServer, type Session } from '../../mcp/server.ts';
import type { Level } from '../../mcp/tools.ts';
import { invalidParameter, Problem } from '../../problem.ts';
import { parsed } from '../body/body.ts';
import { SMALL } from '../limits/share-limits.ts';
import { respond, respondText } from '../respond.ts';
import type { createInnerRequests } from './inner-requests.ts';

/** The answers that a batch may hold before its next call. Characters. */
const MAX_ANSWERS = 4 * 1024 ** 2;

const levels: readonly string[] = ['read', 'write'] satisfies Level[];

/** Answers an MCP request whose body has been received. */
export function serveMcp(innerRequests: ReturnType<typeof createInnerRequests>): RequestHandler {
  return async (req, res) => {
    const session: Session = {
      level: levelOf(req),
      scopes: req.principal.scopes,
      send: oneByOne(req, innerRequests(req, res)),
      report(err) {
        // A call ends with an error if the client leaves.
        if (!res.closed) req.context.logger.error({ err, request_id: req.requestId }, 'A tool failed.');
      },
    };
    const body = parsed(req, req.body);
    // The calls take memory of the same share: requests that wait for them must not use it up.
    req.memory.resize(0);
    await respondWith(req, res, await answerOf(session, toWebRequest(req), body));
    req.memory.resize(SMALL + res.writableLength);
  };
}

/**
 * Runs the calls of a batch one after the other. Their answers wait for the last one, and count as memory of the client until
 * then. Throws 503 for a call after too many of them.
 */
function oneByOne(req: Request, send: Session['send']): Session['send'] {
  let held = 0;
  let last: Promise<unknown> = Promise.resolve();
  const sendNext: Session['send'] = async (inner) => {
    if (held > MAX_ANSWERS) {
      throw new Problem('unavailable', 'The answers of this batch are too large together. Send fewer calls.');
    }
    const answer = await send(inner);
    held += answer.text.length;
    req.memory.resize(held);
    return answer;
  };
  return (inner) => {
    const next = last.then(() => sendNext(inner));
    last = next.catch(() => undefined);
    return next;
  };
}

/** Newer clients say in each request what older ones negotiate. There are no sessions, and no streams. */
async function answerOf(
  session: Session,
  request: globalThis.Request,
  parsedBody: unknown,
): Promise<Response> {
  const server = createMcpServer(session);
  if (!(await isLegacyRequest(request, parsedBody))) {
    const handler = createMcpHandler(() => server, { legacy: 'reject', maxSubscriptions: 0 });
    return handler.fetch(request, { parsedBody });
  }
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  return transport.handleRequest(request, { parsedBody });
}

/** Clients need not accept event streams, although the SDK asks for that. */
function toWebRequest(req: Request): globalThis.Request {
  const names = Object.keys(req.headers).filter((name) => name.startsWith('mcp-'));
  const headers = new Headers(names.map((name) => [name, String(req.headers[name])]));
  headers.set('Content-Type', 'application/json');
  headers.set('Accept', 'application/json, text/event-stream');
  return new globalThis.Request(req.context.baseUrl, { method: 'POST', headers });
}

async function respondWith(req: Request, res: HttpResponse, answer: Response): Promise<void> {
  const text = await answer.text();
  const [mediaType] = answer.headers.get('Content-Type')?.split(';') ?? [];
  if (mediaType === undefined) respond(req, res, answer.status);
  else respondText(req, res, answer.status, { mediaType, text: `${text}\n` });
}

/** Throws 400 for anything else in the query. */
function levelOf({ query }: Request): Level {
  for (const name of Object.keys(query)) {
    if (name !== 'level') throw invalidParameter(name, 'is not a parameter of this address');
  }
  const { level = 'read' } = query;
  if (!levels.includes(String(level))) throw invalidParameter('level', 'must be read or write');
  return level as Level;
}
