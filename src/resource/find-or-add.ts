import { writeOrFind } from '../db/write-or-find.ts';
import { Problem } from '../http/errors/problem.ts';

/** Finds the row with an email, or else adds it. Finds it too if a concurrent request adds it after the lookup. */
export async function findOrAdd<Row>(
  find: () => Promise<Row | undefined>,
  add: () => Promise<Row>,
): Promise<{ row: Row; isNew: boolean }> {
  const found = async () => {
    const row = await find();
    return row && { row, isNew: false };
  };
  const added = async () => ({ row: await add(), isNew: true });
  return (await found()) ?? writeOrFind(() => added().catch(ignoreDuplicate), found);
}

function ignoreDuplicate(error: unknown): undefined {
  if (!(error instanceof Problem && error.code === 'duplicate_email')) throw error;
}
