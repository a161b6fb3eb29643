import { expect, it } from 'vitest';
import { describeUnavailable, isDatabaseFault, isUnavailable } from '../../src/db/errors.ts';
import { writeOrFind } from '../../src/db/write-or-find.ts';

it('a row that others repeatedly add and delete is a conflict, not a database fault', async () => {
  let writes = 0;
  const write = async (): Promise<object | undefined> => {
    writes += 1;
    return undefined;
  };
  const error = await writeOrFind(write, async () => undefined).catch((reason: unknown) => reason);
  expect(writes).toBe(3);
  expect([isUnavailable(error), isDatabaseFault(error)]).toEqual([true, false]);
  expect(describeUnavailable(error)).toMatch(/^Other requests changed the same data/);
});
