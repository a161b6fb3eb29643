import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Functions that close what a script opened: processes, servers, folders. The script adds them as it goes. */
export type Closers = (() => unknown)[];

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs a script, then closes everything it opened, in reverse order. Does so on errors and signals too, also on errors that
 * nobody can catch, such as pg's when a connection ends between two queries. Otherwise the services that the script
 * started would keep running.
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
    // Expected while the script shuts down.
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

/** Registers the closer before opening, so that an interruption in between still closes it. */
export async function open<Resource>(
  closers: Closers,
  opening: Promise<Resource>,
  close: (resource: Resource) => unknown,
): Promise<Resource> {
  closers.push(() => opening.then(close, () => undefined));
  return opening;
}

/** A folder that is deleted when the script ends. Other checkouts, which --against compares, may need to enter it as another user. */
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
