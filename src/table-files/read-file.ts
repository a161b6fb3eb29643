import { once } from 'node:events';
import { MessageChannel, Worker } from 'node:worker_threads';
import { Problem } from '../problem.ts';
import { invalidFile } from './fault.ts';
import type { FileOptions } from './read-as.ts';
import type { FileSummary, Store } from './read-here.ts';
import { parseRows } from './stored-row.ts';
import type { Message, Order } from './worker.ts';

/** More than the reader allows itself: a workbook has 24 MiB and 48 MiB of texts at most. Two files can arrive at the same time: see shares.ts. */
const LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 };
/** A file from which no row comes for this long is refused. Milliseconds. */
const MAX_PAUSE = 10_000;

const TOO_SLOW = 'takes too long to read; save the table as CSV, or split it';

/** Files seldom come two at a time, and each worker takes 10 MiB even while it waits. */
const READERS = 1;
/** Workers that wait for a file: starting one takes 100 ms, and needs the program's files. */
const spares: Worker[] = [];

/**
 * Starts the workers before the first file comes, since an upgrade may remove the program's files from under the process.
 * Resolves when they have loaded what they need.
 */
export async function startReaders(): Promise<void> {
  const started = Array.from({ length: READERS - spares.length }, startWorker);
  await Promise.all(started.map((worker) => once(worker, 'message')));
  spares.push(...started);
}

function startWorker(): Worker {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    // Neither the flags of the process, nor its secrets.
    execArgv: [],
    env: {},
    resourceLimits: LIMITS,
  });
  worker.unref();
  worker.on('error', () => {
    const index = spares.indexOf(worker);
    if (index !== -1) spares.splice(index, 1);
  });
  return worker;
}

/**
 * Reads a file of any size in a thread of its own, so that no file can hold up other requests or use up their memory, and
 * stores its rows in chunks. Throws 422 if no row can be read, or if reading takes too much time or memory.
 */
export async function readFile(
  bytes: AsyncIterable<Buffer>,
  options: FileOptions,
  store: Store,
): Promise<FileSummary> {
  const worker = spares.pop() ?? startWorker();
  let isReusable = false;
  try {
    const message = await order(worker, bytes, options, store);
    isReusable = spares.length < READERS;
    if ('problem' in message) throw problemOf(message.problem);
    return { ...message.summary, sample: parseRows(message.sample).map(({ cells }) => cells) };
  } finally {
    if (isReusable) spares.push(worker);
    else await worker.terminate();
  }
}

type End = Extract<Message, { summary: unknown } | { problem: unknown }>;

/** Resolves when the worker has read the file or found it wrong. */
async function order(
  worker: Worker,
  bytes: AsyncIterable<Buffer>,
  options: FileOptions,
  store: Store,
): Promise<End> {
  const { port1: own, port2: port } = new MessageChannel();
  const { promise, resolve, reject } = Promise.withResolvers<End>();
  // What the worker waits for: more bytes, or room for a chunk.
  let waits = 0;
  let lastSign = performance.now();
  const during = async <Value>(work: Promise<Value>): Promise<Value> => {
    waits += 1;
    return work.finally(() => {
      waits -= 1;
      lastSign = performance.now();
    });
  };
  const watch = setInterval(() => {
    if (waits === 0 && performance.now() - lastSign > MAX_PAUSE) reject(invalidFile(TOO_SLOW));
  }, 1_000);
  own.on('message', (message: Message) => {
    lastSign = performance.now();
    if ('rows' in message)
      during(store(message.number, message.rows)).then(() => own.postMessage('stored'), reject);
    else if (!('alive' in message)) resolve(message);
  });
  worker.once('error', reject);
  const iterator = bytes[Symbol.asyncIterator]();
  const file = new ReadableStream<Uint8Array>({
    async pull(controller) {
      // The upload has broken off, and the worker would wait for ever.
      const next = await during(iterator.next()).catch(reject);
      if (next === undefined || next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
  });
  try {
    worker.postMessage({ file, options, port } satisfies Order, [file, port] as never);
    return await promise;
  } finally {
    clearInterval(watch);
    own.close();
    worker.off('error', reject);
    // Not awaited: the next bytes may be long in coming, and a wrong file is refused at once.
    iterator.return?.().catch(() => undefined);
  }
}

function problemOf({ code, message, details }: Extract<Message, { problem: unknown }>['problem']): Problem {
  return new Problem(code, message, { details });
}
