import { Problem } from '../http/errors/problem.ts';

const MAX_ATTEMPTS = 3;

/** Finds a row by a unique value, or else adds it. Finds it too if a concurrent request adds it after the lookup. */
export async function findOrAdd<Row>(
  find: () => Promise<Row | undefined>,
  add: () => Promise<Row>,
): Promise<{ row: Row; isNew: boolean }> {
  for (let attempt = 1; ; attempt += 1) {
    const row = await find();
    if (row !== undefined) return { row, isNew: false };
    try {
      return { row: await add(), isNew: true };
    } catch (error) {
      const isDuplicate = error instanceof Problem && error.code.startsWith('duplicate_');
      if (!isDuplicate || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}
