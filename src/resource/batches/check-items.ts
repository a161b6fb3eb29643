import type { OperationId } from '../../../generated/operations.ts';
import type { OperationContext } from '../../operation.ts';
import { Problem } from '../../problem.ts';
import { mapInSlices } from '../../values/slices.ts';

/** Validates each item of a batch. An invalid one becomes the Problem that a single request with it would get. */
export function checkItems<Item>(
  operationId: OperationId,
  items: readonly Item[],
  { checkItem }: Pick<OperationContext, 'checkItem'>,
): Promise<(Item | Problem)[]> {
  return checkEach(items, (item) => checkItem(operationId, item));
}

/** Validates each item by a function that throws a Problem. */
export function checkEach<Item, Checked>(
  items: readonly Item[],
  check: (item: Item) => Checked,
): Promise<(Checked | Problem)[]> {
  return mapInSlices(items, (item) => {
    try {
      return check(item);
    } catch (error) {
      if (error instanceof Problem) return error;
      throw error;
    }
  });
}
