import type { WriteStream } from 'node:tty';

/** As many are there at once. */
const NOT_WORTH_IT = 10_000;
const WIDTH = 40;

/** Shows how many of the leads are made: a bar on a terminal, else a line at each tenth. */
export function createProgress(
  out: Pick<WriteStream, 'write' | 'isTTY'>,
  leads: number,
): ((done: number) => void) | undefined {
  if (leads <= NOT_WORTH_IT) return undefined;
  let told = 0;
  return (done) => {
    const share = done / leads;
    if (out.isTTY) {
      const bar = '█'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '░');
      out.write(`\r${bar} ${Math.floor(share * 100)} % of ${leads} leads${done === leads ? '\n' : ''}`);
    } else if (Math.floor(share * 10) > told) {
      told = Math.floor(share * 10);
      out.write(`${done} of ${leads} leads\n`);
    }
  };
}
