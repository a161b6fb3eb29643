import type { Request, RequestHandler, Response } from 'express';
import { type DestinationStream, type Logger, pino } from 'pino';
import pretty from 'pino-pretty';
import { describeError } from './describe-error.ts';

/**
 * JSON lines, or readable ones when a person watches. They go to stderr: stdout is for what start prints, the first
 * client's secret among it, so that `npm start 2>> api.log` keeps a log without secrets.
 */
export function createLogger(level: string, destination: DestinationStream = stderr()): Logger {
  return pino({ level, base: null, serializers: { err: describeError } }, destination);
}

function stderr(): DestinationStream {
  if (process.stderr.isTTY) return pretty({ destination: 2 });
  // Lines are gathered for up to a fifth of a second: a write for each request costs as much as logging it.
  // As bytes, since of text it counts all that it has gathered again at each line.
  const contentMode = 'buffer';
  const destination = pino.destination({
    fd: 2,
    sync: false,
    minLength: 8192,
    periodicFlush: 200,
    contentMode,
  });
  const writeBytes = destination.write.bind(destination) as unknown as (line: Buffer) => void;
  return { write: (line) => writeBytes(Buffer.from(line)) };
}

/** The address of an inbound hook ends with what is as good as its password. */
const HOOK_TOKEN = /((?:\/|%2f)hooks(?:\/|%2f)).+/i;

/**
 * One line a request. Never a header, a body or the query: tokens, secrets and what people search for stay out of
 * the log; the path, the operation, the client and the request id tell the rest.
 *
 * Not by pino-http, whose child loggers and listeners for each request cost several times the line itself.
 */
export function logRequests(logger: Logger): RequestHandler {
  return (req, res, next) => {
    const began = performance.now();
    res.once('close', () => {
      // Middlewares that a request didn't reach have left nothing to tell.
      const { requestId, method, originalUrl, context, match, principal } = req as Partial<Request>;
      const line = {
        request_id: requestId,
        method,
        path: originalUrl?.split('?', 1)[0]?.replace(HOOK_TOKEN, '$1…').slice(0, 200),
        status: wasAnswered(req, res) ? res.statusCode : undefined,
        environment: context?.environment,
        operation: match?.id,
        client: principal?.publicId,
        ms: Math.round(performance.now() - began),
      };
      if (res.writableFinished) logger.info(line, 'request');
      else logger.warn(line, 'request cut off');
    });
    next();
  };
}

/** At least the head of the answer was sent: one that is made for a request which was cut off goes nowhere. */
function wasAnswered({ complete }: Request, { headersSent, writableFinished }: Response): boolean {
  return writableFinished || (headersSent && complete);
}
