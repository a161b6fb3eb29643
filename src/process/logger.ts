import { type DestinationStream, type Logger, pino } from 'pino';
import { describeError } from '../http/errors/describe-error.ts';

/** Loaded only for a terminal. The image does not have it, so the log is JSON there. */
const pretty = process.stderr.isTTY
  ? await import('pino-pretty').then((library) => library.default).catch(() => undefined)
  : undefined;

/** Bytes of lines that wait for a destination that takes none, such as a full disk. Further lines are lost. */
const MAX_WAITING = 4 * 2 ** 20;

/**
 * Logs JSON lines, or pretty-printed ones on a terminal. Writes to stderr, because startup prints the first client's
 * secret to stdout: `npm start 2>> api.log` keeps a log without secrets.
 */
export function createLogger(
  level: string,
  destination?: DestinationStream,
  /** What each line has besides. */
  mixin?: () => object,
): Logger {
  const options = { level, base: null, serializers: { err: describeError }, ...(mixin && { mixin }) };
  if (destination !== undefined) return pino(options, destination);
  if (pretty !== undefined) return pino(options, pretty({ destination: 2 }));
  const lines = stderr();
  const logger = pino(options, lines);
  let lost = 0;
  lines.on('drop', () => {
    lost += 1;
  });
  lines.on('drain', () => {
    if (lost === 0) return;
    logger.warn({ lines: lost }, 'Log lines were lost, because they could not be written.');
    lost = 0;
  });
  return logger;
}

/** Goes on when a line can't be written, and writes it later. */
function stderr(): ReturnType<typeof pino.destination> {
  // Buffer lines for up to 200 ms: one write per request costs as much as logging it.
  const lines = pino.destination({
    fd: 2,
    sync: false,
    minLength: 8192,
    maxLength: MAX_WAITING,
    periodicFlush: 200,
  });
  let fault: Error | undefined;
  lines.on('error', (error) => {
    fault = error;
  });
  lines.on('write', () => {
    fault = undefined;
  });
  const flush = lines.flushSync.bind(lines);
  // Called at exit. On a full disk it would try for ever.
  lines.flushSync = () => {
    if (fault === undefined) flush();
  };
  return lines;
}
