import type { Db } from '../../db/db.ts';
import { isDeadlock } from '../../db/errors.ts';
import { toUuid } from '../../values/id.ts';
import type { PersonTypes, SingleRules } from '../rules.ts';

const MAX_ATTEMPTS = 5;

/** What rows refer to, and how it is locked. */
export interface References<Row> {
  columns: readonly (keyof Row)[];
  lock(db: Db, row: Row): Promise<void>;
}

/** The row referred to something else by the time it was locked. If it goes on doing so: 503. */
class ReferencesChanged extends Error {
  /** SQLSTATE serialization_failure. */
  readonly code = '40001';
}

interface Both<Row> {
  stays: Row | undefined;
  other: Row | undefined;
}

/**
 * Locks two rows in the order of their ids, so that two merges in opposite directions don't deadlock. Before that, locks
 * what the other one refers to, since a deletion of that locks them in this order.
 */
export async function lockBoth<T extends PersonTypes>(
  { kind, findRows }: SingleRules<T>,
  { columns, lock }: References<T['row']>,
  db: Db,
  ids: { stays: string; other: string },
): Promise<Both<T['row']>> {
  const [stays, other] = [toUuid(kind, ids.stays), toUuid(kind, ids.other)];
  const wanted = [...new Set([stays, other])].filter((id) => id !== undefined);

  async function tryTo(trx: Db): Promise<Both<T['row']>> {
    const [before] = await findRows(trx, { id: wanted.filter((id) => id === other) });
    if (before !== undefined) await lock(trx, before);
    const rows = await findRows(trx, { id: wanted }, 'update');
    const found = rows.find(({ id }) => id === other);
    if (found !== undefined && columns.some((column) => found[column] !== before?.[column])) {
      throw new ReferencesChanged();
    }
    return { stays: rows.find(({ id }) => id === stays), other: found };
  }

  for (let attempt = 1; ; attempt += 1) {
    try {
      // A savepoint: to begin again, all locks must be released.
      return await db.transaction(tryTo);
    } catch (error) {
      const isTransient = error instanceof ReferencesChanged || isDeadlock(error);
      if (attempt === MAX_ATTEMPTS || !isTransient) throw error;
    }
  }
}
