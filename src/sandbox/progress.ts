import type { WriteStream } from 'node:tty';

/** No progress is shown for up to this many leads, since adding them takes only a moment. */
const MAX_WITHOUT_PROGRESS = 10_000;
const WIDTH = 40;

/** Reports progress: a bar on a terminal, else a line for every 10 %. */
export function createProgress(
  out: Pick<WriteStream, 'write' | 'isTTY'>,
  leads: number,
): ((done: number) => void) | undefined {
  if (leads <= MAX_WITHOUT_PROGRESS) return undefined;
  let shown = 0;
  return (done) => {
    const share = done / leads;
    if (out.isTTY) {
      const bar = '█'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '░');
      out.write(`\r${bar} ${Math.floor(share * 100)} % of ${leads} leads${done === leads ? '\n' : ''}`);
    } else if (Math.floor(share * 10) > shown) {
      shown = Math.floor(share * 10);
      out.write(`${done} of ${leads} leads\n`);
    }
  };
}
