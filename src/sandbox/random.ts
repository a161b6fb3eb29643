import { hash } from 'node:crypto';

/** Random values that depend on nothing but the seed. */
export type Random = ReturnType<typeof createRandom>;

export function createRandom(seed: string) {
  let block = Buffer.alloc(0);
  let at = 0;
  let blocks = 0;

  /** At least 0 and below 1. */
  function next(): number {
    if (at === block.length) {
      block = hash('sha256', `${seed} ${blocks}`, 'buffer');
      blocks += 1;
      at = 0;
    }
    const value = block.readUInt32LE(at) / 2 ** 32;
    at += 4;
    return value;
  }

  const int = (from: number, to: number) => from + Math.floor(next() * (Math.max(from, to) - from + 1));
  const pick = <T>(choices: readonly T[]): T => choices[int(0, choices.length - 1)] as T;
  return {
    /** A whole number from `from` to `to`. */
    int,
    pick,
    /** True with this probability in percent. */
    chance: (percent: number) => int(1, 100) <= percent,
    /** Up to `most` of the choices. */
    some<T>(choices: readonly T[], most: number): T[] {
      const left = [...choices];
      return Array.from({ length: int(0, most) }, () => left.splice(int(0, left.length - 1), 1)[0] as T);
    },
    /** The text with a digit for each `#`. */
    digits: (text: string) => text.replaceAll('#', () => String(int(0, 9))),
  };
}
