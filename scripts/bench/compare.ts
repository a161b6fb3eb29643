import { load, NoResponse } from './load.ts';
import type { Measure } from './measures.ts';
import { median } from './median.ts';
import type { Contestant } from './processes.ts';

/** Medians of a contestant's slices. */
export interface Result {
  /** Requests per second. */
  rate: number;
  /** Of the rate to the yardstick's in the same round. */
  ratio: number;
  /** CPU time per request in the contestant's own process, and in PostgreSQL. Microseconds. */
  node: number;
  postgres: number;
}

interface Options {
  rounds: number;
  /** Duration of a slice. */
  seconds: number;
  /** Seconds of load before anything is measured. */
  warmUp: number;
  /** CPU seconds that PostgreSQL has used so far. */
  postgresCpu: () => Promise<number>;
}

/**
 * Measures the contestants by turns, in changing order, so that noisy neighbours affect all alike. One of them is named
 * `yardstick`; the others are compared with it.
 */
export async function compare(
  measure: Measure,
  contestants: Map<string, Contestant>,
  { rounds, seconds, warmUp, postgresCpu }: Options,
): Promise<Map<string, Result>> {
  const names = [...contestants.keys()];
  const slices = new Map(names.map((name): [string, Result[]] => [name, []]));
  const slice = async (name: string, duration: number) => {
    const contestant = contestants.get(name) as Contestant;
    const [node, postgres] = [await contestant.cpu(), await postgresCpu()];
    const run = () => load(contestant, (turn) => measure.next(contestant.cursors, turn), duration);
    const loaded = await run().catch((error: Error) => {
      if (!(error instanceof NoResponse)) throw error;
      console.log(`${measure.name}  ${name}  once more: ${error.message}`);
      return run();
    });
    return {
      ...loaded,
      node: (((await contestant.cpu()) - node) / loaded.requests) * 1e6,
      postgres: (((await postgresCpu()) - postgres) / loaded.requests) * 1e6,
    };
  };
  for (const name of names) await slice(name, warmUp);
  for (let round = 0; round < rounds; round += 1) {
    const turns = names.map((_, index) => names[(index + round) % names.length] as string);
    const measured = new Map<string, Awaited<ReturnType<typeof slice>>>();
    for (const name of turns) measured.set(name, await slice(name, seconds));
    const yardstick = measured.get('yardstick')?.requestsPerSecond ?? Number.NaN;
    for (const [name, { requestsPerSecond: rate, p50, p99, node, postgres }] of measured) {
      const ratio = rate / yardstick;
      slices.get(name)?.push({ rate, ratio, node, postgres });
      console.log(
        `${measure.name} ${round + 1}  ${name.padEnd(10)} ${rate.toFixed(0).padStart(6)}/s  p50 ${p50} ms  p99 ${p99} ms` +
          `  Node ${node.toFixed(0)} µs  PostgreSQL ${postgres.toFixed(0)} µs  ratio ${ratio.toFixed(3)}`,
      );
    }
  }
  return new Map([...slices].map(([name, all]) => [name, medians(all)]));
}

function medians(all: readonly Result[]): Result {
  const of = (key: keyof Result) => median(all.map((result) => result[key]));
  return { rate: of('rate'), ratio: of('ratio'), node: of('node'), postgres: of('postgres') };
}

const WIDTHS = [16, 11, 9, 9, 11, 8];
const row = (...cells: string[]) =>
  cells
    .map((cell, index) => (index < 2 ? cell.padEnd(WIDTHS[index] ?? 0) : cell.padStart(WIDTHS[index] ?? 0)))
    .join('');

/** The table of medians, with a verdict on each bound. `cost` is how much slower a larger contract may make the API. */
export function printTable(results: Map<Measure, Map<string, Result>>, cost: number): void {
  console.log(row('median', '', '/s', 'Node µs', 'PostgreSQL', 'ratio'));
  for (const [{ name, bound }, byContestant] of results) {
    const api = byContestant.get('api')?.ratio ?? Number.NaN;
    for (const [contestant, { rate, ratio, node, postgres }] of byContestant) {
      const numbers = [rate, node, postgres].map((number) => number.toFixed(0));
      const least = contestant === 'api' ? bound : api * (1 - cost);
      const verdict = `  ${ratio >= least ? 'ok' : 'TOO LITTLE'}: at least ${least.toFixed(2)}`;
      const cells = row(name, contestant, ...numbers, ratio.toFixed(3));
      console.log(contestant === 'yardstick' ? cells : cells + verdict);
    }
  }
}
