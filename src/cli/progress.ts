import type { WriteStream } from 'node:tty';

/** Up to this many rows, no progress is shown: adding them takes only a moment. */
const MAX_WITHOUT_PROGRESS = 10_000;
const WIDTH = 40;

/** Reports progress: a bar on a terminal, else a line for every 10 %. */
export function createProgress(
  out: Pick<WriteStream, 'write' | 'isTTY'>,
  total: number,
  unit = 'leads',
): ((done: number) => void) | undefined {
  if (total <= MAX_WITHOUT_PROGRESS) return undefined;
  let shown = 0;
  return (done) => {
    const share = done / total;
    if (out.isTTY) {
      const bar = '█'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '░');
      out.write(`\r${bar} ${Math.floor(share * 100)} % of ${total} ${unit}${done === total ? '\n' : ''}`);
    } else if (Math.floor(share * 10) > shown) {
      shown = Math.floor(share * 10);
      out.write(`${done} of ${total} ${unit}\n`);
    }
  };
}

/** Shows on a terminal how much has arrived. */
export function createByteCounter(out: Pick<WriteStream, 'write'>): (bytes: number, isAll: boolean) => void {
  return (bytes, isAll) => out.write(`\r${(bytes / 1e6).toFixed(1)} MB${isAll ? '\n' : ''}`);
}
