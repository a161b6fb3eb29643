import { type DestinationStream, type Logger, pino } from 'pino';
import { describeError } from '../http/errors/describe-error.ts';
import { createLineWriter } from './line-writer.ts';
import { createTerminalLines } from './terminal-line.ts';

/**
 * Logs JSON lines, or lines for people on a terminal. Writes to stderr, because startup prints the first client's
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
  if (process.stderr.isTTY) return pino(options, terminal());
  const lines = createLineWriter(2, (lost) =>
    logger.warn({ lines: lost }, 'Log lines were lost, because they could not be written.'),
  );
  const logger = pino(options, lines);
  return logger;
}

/** Writes immediately, so that the lines and what stdout prints on the same terminal stay in order. */
function terminal(): DestinationStream {
  const toLine = createTerminalLines({ color: process.stderr.hasColors() });
  return { write: (json) => process.stderr.write(toLine(json)) };
}
