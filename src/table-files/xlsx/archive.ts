import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { invalidFile } from '../fault.ts';
import { damaged } from './xml.ts';

/** A workbook has some dozens of parts. */
const MAX_ENTRIES = 10_000;
const MAX_NAME = 300;
/** Bytes of the table of contents. Each entry can have a comment of 64 KiB. */
const MAX_CONTENTS = 2 * 2 ** 20;

/** The files in a ZIP file. */
export interface Archive {
  names: readonly string[];
  /** The content of a file, unpacked as it is read. Undefined if there is none with this name. */
  read(name: string): Promise<AsyncIterable<Buffer> | undefined>;
}

export async function openArchive(file: Buffer): Promise<Archive> {
  let zip: ZipFile;
  const entries = new Map<string, Entry>();
  let size = 0;
  try {
    zip = await fromBufferPromise(file, { lazyEntries: true });
    for await (const entry of zip.eachEntry()) {
      size += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
      if (size > MAX_CONTENTS) throw damaged();
      if (entry.fileName.length > MAX_NAME) continue;
      entries.set(entry.fileName.toLowerCase(), entry);
      if (entries.size > MAX_ENTRIES) throw damaged();
    }
  } catch {
    throw damaged();
  }
  return {
    names: [...entries.keys()],
    async read(name) {
      const entry = entries.get(name.toLowerCase());
      if (entry === undefined) return undefined;
      if ((entry.generalPurposeBitFlag & 1) === 1) throw invalidFile('is protected by a password');
      try {
        return unpacked(await zip.openReadStreamPromise(entry));
      } catch {
        throw damaged();
      }
    },
  };
}

/** Passes errors of the ZIP file on as the file's fault. */
async function* unpacked(stream: AsyncIterable<Buffer> & { destroy(): void }): AsyncGenerator<Buffer> {
  const iterator = stream[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await iterator.next().catch(() => {
        throw damaged();
      });
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    stream.destroy();
  }
}
