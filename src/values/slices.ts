import { setImmediate } from 'node:timers/promises';

/** How long to work before other requests get a turn. Milliseconds. */
const SLICE = 5;

let last: Promise<unknown> = Promise.resolve();

/** Waits for a round of the event loop that no other caller gets, so that the slices of several requests don't add up. */
function nextRound(): Promise<unknown> {
  last = last.then(() => setImmediate());
  return last;
}

/** Array.map() for many items: other requests get a turn every few milliseconds. */
export async function mapInSlices<Item, Result>(
  items: Iterable<Item>,
  map: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  let end = performance.now() + SLICE;
  for (const item of items) {
    results.push(map(item));
    if (performance.now() < end) continue;
    await nextRound();
    end = performance.now() + SLICE;
  }
  return results;
}
