import { setImmediate } from 'node:timers/promises';
import type { OperationId } from '../../../generated/operations.ts';
import type { OperationContext } from '../../operation.ts';
import { Problem } from '../../problem.ts';

/** How long to validate before other requests get a turn. Milliseconds. */
const MAX_BLOCKING = 10;

/** Validates each item of a batch. An invalid one becomes the Problem that a single request with it would get. */
export function checkItems<Item>(
  operationId: OperationId,
  items: readonly Item[],
  { checkItem }: Pick<OperationContext, 'checkItem'>,
): Promise<(Item | Problem)[]> {
  return checkEach(items, (item) => checkItem(operationId, item));
}

/** Validates each item by a function that throws a Problem. */
export async function checkEach<Item, Checked>(
  items: readonly Item[],
  check: (item: Item) => Checked,
): Promise<(Checked | Problem)[]> {
  const checked: (Checked | Problem)[] = [];
  let startedAt = performance.now();
  for (const item of items) {
    checked.push(checkOne(item));
    if (performance.now() - startedAt < MAX_BLOCKING) continue;
    await setImmediate();
    startedAt = performance.now();
  }
  return checked;

  function checkOne(item: Item): Checked | Problem {
    try {
      return check(item);
    } catch (error) {
      if (error instanceof Problem) return error;
      throw error;
    }
  }
}
