import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { shownPath } from './shown-path.ts';

/**
 * Logs one line per request. Never logs headers, bodies, the query or unknown parts of the path, to keep tokens, secrets and
 * search terms out of the log.
 *
 * Doesn't use pino-http, whose child loggers and listeners per request cost several times the line itself.
 */
export function logRequests(logger: Logger): RequestHandler {
  return (req, res, next) => {
    const startedAt = performance.now();
    res.once('close', () => {
      // Fields are undefined if the request did not reach the middleware that sets them.
      const { requestId, traceId, method, originalUrl, environment, match, principal, problemCode } =
        req as Partial<Request>;
      const line = {
        request_id: requestId,
        trace_id: traceId,
        method,
        path: originalUrl && shownPath(originalUrl),
        status: hasResponded(req, res) ? res.statusCode : undefined,
        code: problemCode,
        environment,
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

/** Whether the client received at least the response headers. A response to an incomplete request is never sent. */
export function hasResponded({ complete }: Request, { headersSent, writableFinished }: Response): boolean {
  return writableFinished || (headersSent && complete);
}
