import type { Db } from '../../db/db.ts';
import { ConflictError } from '../../db/errors.ts';
import { toUuid } from '../../values/id.ts';
import type { PersonTypes, SingleRules } from '../rules.ts';

/** What rows refer to, and how it is locked. */
export interface References<Row> {
  columns: readonly (keyof Row)[];
  lock(db: Db, row: Row): Promise<void>;
}

interface Both<Row> {
  stays: Row | undefined;
  other: Row | undefined;
}

/**
 * Locks two rows in the order of their ids, so that two merges in opposite directions don't deadlock. First locks the
 * rows that the second one references: deletions lock in that order too. Throws ConflictError if that changes
 * meanwhile.
 */
export async function lockBoth<T extends PersonTypes>(
  { kind, findRows }: SingleRules<T>,
  { columns, lock }: References<T['row']>,
  db: Db,
  ids: { stays: string; other: string },
): Promise<Both<T['row']>> {
  const [stays, other] = [toUuid(kind, ids.stays), toUuid(kind, ids.other)];
  const wanted = [...new Set([stays, other])].filter((id) => id !== undefined);

  const [before] = await findRows(db, { id: wanted.filter((id) => id === other) });
  if (before !== undefined) await lock(db, before);
  const rows = await findRows(db, { id: wanted }, 'update');
  const found = rows.find(({ id }) => id === other);
  // It referred to something else by the time it was locked.
  if (found !== undefined && columns.some((column) => found[column] !== before?.[column])) {
    throw new ConflictError();
  }
  return { stays: rows.find(({ id }) => id === stays), other: found };
}
