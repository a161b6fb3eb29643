import { constants } from 'node:os';

/** Closes what a script has opened: processes, servers, folders. The script adds to it as it opens them. */
export type Closers = (() => unknown)[];

/**
 * Runs the work of a script, then closes what it has opened, the last first; also if it fails, and if SIGINT, SIGTERM or
 * SIGHUP ends the script. Without that, the services that it started would go on, and start their PostgreSQL again.
 */
export async function closing(work: (closers: Closers) => Promise<void>): Promise<void> {
  const closers: Closers = [];
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= closeAll(closers);
    return closed;
  };
  let interrupted = false;
  const interrupt = (signal: NodeJS.Signals) => {
    interrupted = true;
    process.exitCode = 128 + constants.signals[signal];
    void close().then(() => process.exit());
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
  try {
    await work(closers);
  } catch (error) {
    // What the work needs is being closed under its feet.
    if (!interrupted) throw error;
  } finally {
    await close();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, interrupt);
  }
}

/** Closes the rest even if one fails. The work may open more until the process exits. */
async function closeAll(closers: Closers): Promise<void> {
  for (let next = closers.pop(); next !== undefined; next = closers.pop()) {
    try {
      await next();
    } catch (error) {
      console.error(error);
      process.exitCode ??= 1;
    }
  }
}
