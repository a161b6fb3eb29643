import { setImmediate } from 'node:timers/promises';
import type { OperationId } from '../../../generated/operations.ts';
import type { OperationContext } from '../../operation.ts';
import { Problem } from '../../problem.ts';

/** How long to validate before other requests get a turn. Milliseconds. */
const MAX_BLOCKING = 10;

/** Validates each item of a batch. An invalid one becomes the Problem that a single request with it would get. */
export async function checkItems<Item>(
  operationId: OperationId,
  items: readonly Item[],
  { checkItem }: Pick<OperationContext, 'checkItem'>,
): Promise<(Item | Problem)[]> {
  const checked: (Item | Problem)[] = [];
  let startedAt = performance.now();
  for (const item of items) {
    checked.push(check(item));
    if (performance.now() - startedAt < MAX_BLOCKING) continue;
    await setImmediate();
    startedAt = performance.now();
  }
  return checked;

  function check(item: Item): Item | Problem {
    try {
      return checkItem(operationId, item);
    } catch (error) {
      if (error instanceof Problem) return error;
      throw error;
    }
  }
}
