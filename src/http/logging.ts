import type { ServerResponse } from 'node:http';
import type { Request } from 'express';
import { type Logger, pino, type SerializedError } from 'pino';
import { type HttpLogger, pinoHttp } from 'pino-http';
import pretty from 'pino-pretty';

/**
 * JSON lines, or readable ones when a person watches. They go to stderr: stdout is for what start prints, the first
 * client's secret among it, so that `npm start 2>> api.log` keeps a log without secrets.
 */
export function createLogger(level: string): Logger {
  if (process.stderr.isTTY) return pino({ level }, pretty({ destination: 2, ignore: 'pid,hostname' }));
  // Lines are gathered for up to a fifth of a second: a write for each request costs as much as logging it.
  const destination = pino.destination({ fd: 2, sync: false, minLength: 8192, periodicFlush: 200 });
  return pino({ level, base: null }, destination);
}

/**
 * One line a request. Never a header, a body or the query: tokens, secrets and what people search for stay out of
 * the log; the path, the operation, the client and the request id tell the rest.
 *
 * The fields come from the two "object" options, since `customProps` makes a child logger twice for each request.
 */
export function logRequests(logger: Logger): HttpLogger {
  return pinoHttp({
    logger,
    quietResLogger: true,
    serializers: { req: () => undefined, res: () => undefined, err: withoutRows },
    customSuccessObject: (req, res, { responseTime }) => describe(req as Request, res, responseTime),
    customErrorObject: (req, res, _error, { responseTime }) => describe(req as Request, res, responseTime),
    customSuccessMessage: () => 'request',
    customErrorMessage: () => 'request failed',
  });
}

/** Those middlewares that a request didn't reach have left nothing to tell. */
function describe(req: Partial<Request>, res: ServerResponse, ms: number): object {
  return {
    request_id: req.requestId,
    method: req.method,
    path: req.originalUrl?.split('?', 1)[0]?.slice(0, 200),
    status: res.statusCode,
    environment: req.context?.environment,
    operation: req.match?.id,
    client: req.principal?.clientName,
    ms,
  };
}

/** PostgreSQL tells the row that broke a constraint in `detail` and `where`; that is what clients sent. */
function withoutRows({
  detail: _detail,
  where: _where,
  ...error
}: SerializedError): Partial<SerializedError> {
  return error;
}
