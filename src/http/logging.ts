import type { Request } from 'express';
import { type Logger, pino } from 'pino';
import { type HttpLogger, pinoHttp } from 'pino-http';
import pretty from 'pino-pretty';

/**
 * JSON lines, or readable ones when a person watches. They go to stderr: stdout is for what start prints, the first
 * client's secret among it, so that `npm start 2>> api.log` keeps a log without secrets.
 */
export function createLogger(level: string, destination: NodeJS.WriteStream = process.stderr): Logger {
  return destination.isTTY
    ? pino({ level }, pretty({ destination, ignore: 'pid,hostname' }))
    : pino({ level, base: null }, destination);
}

/**
 * One line a request. Never a header, a body or the query: tokens, secrets and what people search for stay out of
 * the log; the path, the operation, the client and the request id tell the rest.
 */
export function logRequests(logger: Logger): HttpLogger {
  return pinoHttp({
    logger,
    quietReqLogger: true,
    quietResLogger: true,
    genReqId: (req) => (req as Request).requestId,
    customAttributeKeys: { reqId: 'request_id', responseTime: 'ms' },
    serializers: { req: () => undefined, res: () => undefined },
    customProps: (req, res) => {
      const { method, originalUrl, context, match, principal } = req as Partial<Request>;
      return {
        method,
        path: originalUrl?.split('?', 1)[0]?.slice(0, 200),
        status: res.statusCode,
        environment: context?.environment,
        operation: match?.id,
        client: principal?.clientName,
      };
    },
  });
}
