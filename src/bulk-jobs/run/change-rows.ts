import { Problem } from '../../problem.ts';
import type { PersonTypes, Rules, SingleRules, Types, Writer } from '../../resource/rules.ts';
import { type Write, writeMany } from '../../resource/write-many.ts';
import { removeRows, type Unlink } from '../../resource/write-one.ts';
import type { Outcome } from './keep-results.ts';

/** Somebody deleted the row since the job was created. */
class Missing extends Problem {
  constructor() {
    super('not_found', 'The row does not exist any more.');
  }
}

/** Changes the rows (UUIDs) that still exist by a valid merge patch. Leaves rows that `isMeant` excludes. */
export async function updateRows<T extends Types>(
  rules: Rules<T>,
  ids: readonly string[],
  patch: object,
  writer: Writer,
  isMeant: (row: T['row']) => boolean = () => true,
): Promise<Outcome[]> {
  const writes = ids.map(
    (id): Write<T> => ({
      id,
      fields: patch,
      plan(rows, references) {
        const before = rows.find('id', id);
        if (before === undefined) throw new Missing();
        return {
          before,
          changes: isMeant(before) ? rules.patch(before, patch as T['patch'], references) : {},
        };
      },
    }),
  );
  const outcomes = await writeMany(rules, writes, true, writer);
  return outcomes.map((outcome): Outcome => {
    if (outcome.status !== 'failed') return { status: outcome.status };
    return outcome.error instanceof Missing ? { status: 'missing' } : outcome;
  });
}

/** Deletes the rows (UUIDs) that still exist. */
export async function deleteRows<T extends PersonTypes>(
  rules: SingleRules<T>,
  ids: readonly string[],
  writer: Writer,
  unlink?: Unlink,
): Promise<Outcome[]> {
  const rows = await rules.findRows(writer.db, { id: [...ids] }, 'update');
  if (rows.length > 0) await removeRows(rules, rows, writer, unlink);
  const found = new Set(rows.map(({ id }) => id));
  return ids.map((id) => ({ status: found.has(id) ? 'deleted' : 'missing' }));
}
