import { type DestinationStream, type Logger, pino } from 'pino';
import { describeError } from '../http/errors/describe-error.ts';
import { createLineWriter } from './line-writer.ts';

/** Loaded only for a terminal. The image lacks it, so it always logs JSON. */
const pretty = process.stderr.isTTY
  ? await import('pino-pretty').then((library) => library.default).catch(() => undefined)
  : undefined;

/**
 * Logs JSON lines, or pretty-printed ones on a terminal. Writes to stderr, because startup prints the first client's
 * secret to stdout: `npm start 2>> api.log` keeps a log without secrets.
 */
export function createLogger(
  level: string,
  destination?: DestinationStream,
  /** Returns extra fields for a line. */
  mixin?: () => object,
): Logger {
  const options = { level, base: null, serializers: { err: describeError }, ...(mixin && { mixin }) };
  if (destination !== undefined) return pino(options, destination);
  if (pretty !== undefined) return pino(options, pretty({ destination: 2 }));
  const lines = createLineWriter(2, (lost) =>
    logger.warn({ lines: lost }, 'Log lines were lost, because they could not be written.'),
  );
  const logger = pino(options, lines);
  return logger;
}
