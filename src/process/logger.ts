import { type DestinationStream, type Logger, pino } from 'pino';
import pretty from 'pino-pretty';
import { describeError } from '../http/errors/describe-error.ts';

/**
 * Logs JSON lines, or pretty-printed ones on a terminal. Writes to stderr, because startup prints the first client's
 * secret to stdout: `npm start 2>> api.log` keeps a log without secrets.
 */
export function createLogger(
  level: string,
  destination: DestinationStream = stderr(),
  /** What each line has besides. */
  mixin: () => object = () => ({}),
): Logger {
  return pino({ level, base: null, serializers: { err: describeError }, mixin }, destination);
}

function stderr(): DestinationStream {
  if (process.stderr.isTTY) return pretty({ destination: 2 });
  // Buffer lines for up to 200 ms: one write per request costs as much as logging it.
  return pino.destination({ fd: 2, sync: false, minLength: 8192, periodicFlush: 200 });
}
