import type { Logger } from 'pino';
import { createLogger } from '../process/logger.ts';

/** Log lines of a command come after its result. On a terminal there are only warnings: the result says the rest. */
export function createLateLogger(level: string): Logger {
  const lines: string[] = [];
  process.once('exit', () => process.stderr.write(lines.join('')));
  const isForPeople = process.stderr.isTTY && ['info', 'debug', 'trace'].includes(level);
  return createLogger(isForPeople ? 'warn' : level, { write: (line) => lines.push(line) });
}
