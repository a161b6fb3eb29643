/** Reads files, one after another. What it finds goes to the port that comes with a file. */
import { once } from 'node:events';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { Problem } from '../problem.ts';
import type { FileOptions } from './read-as.ts';
import { type FileSummary, readHere } from './read-here.ts';
import { formatRow } from './stored-row.ts';

export interface Order {
  file: ReadableStream<Uint8Array>;
  options: FileOptions;
  port: MessagePort;
}

/** Rows have been found, a chunk is to be stored, or the end: a summary with its sample as stored rows, or what is wrong. */
export type Message =
  | { alive: true }
  | { number: number; rows: string }
  | { summary: Omit<FileSummary, 'sample'>; sample: string }
  | { problem: Pick<Problem, 'code' | 'message' | 'details'> };

/** How often the parent learns that rows are found. Milliseconds. */
const HEARTBEAT = 1_000;

parentPort?.on('message', async ({ file, options, port }: Order) => {
  const tell = (message: Message) => port.postMessage(message);
  let told = performance.now();
  const progress = () => {
    if (performance.now() - told < HEARTBEAT) return;
    told = performance.now();
    tell({ alive: true });
  };
  const store = async (number: number, rows: string) => {
    tell({ number, rows });
    await once(port, 'message');
  };
  try {
    const { sample, ...summary } = await readHere(buffers(file), options, store, progress);
    tell({ summary, sample: `[${sample.map((cells) => formatRow({ row: 0, cells })).join()}]` });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { code, message, details } = error;
    tell({ problem: { code, message, details } });
  }
});

parentPort?.postMessage('ready');

async function* buffers(file: ReadableStream<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const { buffer, byteOffset, byteLength } of file)
    yield Buffer.from(buffer, byteOffset, byteLength);
}
