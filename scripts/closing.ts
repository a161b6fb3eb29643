import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Closes what a script has opened: processes, servers, folders. The script adds to it as it opens them. */
export type Closers = (() => unknown)[];

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs the work of a script, then closes what it has opened, the last first; also if it fails, if it throws where nobody can
 * catch it (as pg does when a connection ends between two queries), and if SIGINT, SIGTERM or SIGHUP ends the script. Without
 * that, the services that it started would go on, and start their PostgreSQL again.
 */
export async function closing(work: (closers: Closers) => Promise<void>): Promise<void> {
  const closers: Closers = [];
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= closeAll(closers);
    return closed;
  };
  let interrupted = false;
  const interrupt = (exitCode: number) => {
    interrupted = true;
    process.exitCode = exitCode;
    void close().then(() => process.exit());
  };
  const onSignal = (signal: NodeJS.Signals) => interrupt(128 + constants.signals[signal]);
  const onUncaught = (error: Error) => {
    // What the work needs is being closed under its feet.
    if (interrupted) return;
    console.error(error);
    interrupt(1);
  };
  for (const signal of signals) process.on(signal, onSignal);
  process.on('uncaughtException', onUncaught);
  try {
    await work(closers);
  } catch (error) {
    if (!interrupted) throw error;
  } finally {
    await close();
    for (const signal of signals) process.off(signal, onSignal);
    process.off('uncaughtException', onUncaught);
  }
}

/** Its closer is there before it is open: whoever interrupts the script meanwhile waits until it can be closed. */
export async function open<Resource>(
  closers: Closers,
  opening: Promise<Resource>,
  close: (resource: Resource) => unknown,
): Promise<Resource> {
  closers.push(() => opening.then(close, () => undefined));
  return opening;
}

/** A folder for as long as the script runs. When run as root, PostgreSQL runs as another user, who gets access. */
export async function newFolder(closers: Closers): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lead-pipeline-bench-'));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  return folder;
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
