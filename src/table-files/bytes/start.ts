/** A file whose first bytes are known before it is read. */
export interface Bytes {
  start: Buffer;
  /** The whole file, including its start. */
  all: AsyncIterable<Buffer>;
}

/** Reads the first bytes of a file: as many as asked for, or the whole file if it is shorter. */
export async function withStart(chunks: AsyncIterable<Buffer>, size: number): Promise<Bytes> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first: Buffer[] = [];
  let length = 0;
  let isDone = false;
  while (length < size && !isDone) {
    const { value, done } = await iterator.next();
    if (done === true) isDone = true;
    else {
      first.push(value);
      length += value.length;
    }
  }
  const start = Buffer.concat(first);
  async function* all(): AsyncGenerator<Buffer> {
    try {
      if (start.length > 0) yield start;
      while (!isDone) {
        const { value, done } = await iterator.next();
        if (done === true) return;
        yield value;
      }
    } finally {
      await iterator.return?.();
    }
  }
  return { start, all: all() };
}
