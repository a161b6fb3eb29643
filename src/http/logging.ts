import type { Request, RequestHandler, Response } from 'express';
import { type DestinationStream, type Logger, pino } from 'pino';
import pretty from 'pino-pretty';
import { describeError } from './errors/describe-error.ts';

/**
 * Logs JSON lines, or pretty-printed ones on a terminal. Writes to stderr, because startup prints the first client's
 * secret to stdout: `npm start 2>> api.log` keeps a log without secrets.
 */
export function createLogger(level: string, destination: DestinationStream = stderr()): Logger {
  return pino({ level, base: null, serializers: { err: describeError } }, destination);
}

function stderr(): DestinationStream {
  if (process.stderr.isTTY) return pretty({ destination: 2 });
  // Buffer lines for up to 200 ms: one write per request costs as much as logging it.
  return pino.destination({ fd: 2, sync: false, minLength: 8192, periodicFlush: 200 });
}

/** The URL of an inbound hook ends with its secret token. */
const HOOK_TOKEN = /((?:\/|%2f)hooks(?:\/|%2f)).+/i;

/**
 * Logs one line per request. Never logs headers, bodies or the query, to keep tokens, secrets and search terms out of the
 * log.
 *
 * Without pino-http: its child loggers and listeners per request cost several times the line itself.
 */
export function logRequests(logger: Logger): RequestHandler {
  return (req, res, next) => {
    const startedAt = performance.now();
    res.once('close', () => {
      // Fields are undefined if the request did not reach the middleware that sets them.
      const { requestId, method, originalUrl, context, match, principal } = req as Partial<Request>;
      const line = {
        request_id: requestId,
        method,
        path: originalUrl?.split('?', 1)[0]?.replace(HOOK_TOKEN, '$1…').slice(0, 200),
        status: hasResponded(req, res) ? res.statusCode : undefined,
        environment: context?.environment,
        operation: match?.id,
        client: principal?.publicId,
        ms: Math.round(performance.now() - startedAt),
      };
      if (res.writableFinished) logger.info(line, 'request');
      else logger.warn(line, 'request cut off');
    });
    next();
  };
}

/** Whether the client got at least the response headers. A response to an incomplete request is never sent. */
function hasResponded({ complete }: Request, { headersSent, writableFinished }: Response): boolean {
  return writableFinished || (headersSent && complete);
}
