import { type Db, first } from '../../db/db.ts';
import { knex, prepare } from '../../db/query.ts';
import { storableJson } from '../../values/text.ts';

const any = prepare<{ time: string }, never>('any_import_erasure', ($) =>
  knex.raw('select from import_erasures where erased_at >= ?::timestamptz limit 1', [$('time')]),
);

/** Whether anybody was erased at this time or later. */
export async function wasErasedSince(db: Db, time: string): Promise<boolean> {
  return (await db.run(any({ time }))).length > 0;
}

const among = prepare<{ time: string; hashes: string[] }, { hash: string }>('import_erasures_among', ($) =>
  knex.raw('select hash from import_erasures where erased_at >= ?::timestamptz and hash = any(?::bigint[])', [
    $('time'),
    $('hashes'),
  ]),
);

/** Which of the hashes belong to people erased at this time or later. */
export async function erasedAmong(db: Db, hashes: string[], time: string): Promise<Set<string>> {
  return new Set((await db.run(among({ time, hashes }))).map(({ hash }) => hash));
}

const lock = prepare<object, never>('lock_import_erasures', () =>
  knex.raw('lock table import_erasures in share mode'),
);

/**
 * Waits for erasures that are about to commit, and makes others wait until the transaction ends. So a chunk either sees that
 * a person was erased, or the erasure sees whom the chunk has brought. Transactions that insert erasures don't wait for each
 * other, nor do chunks.
 */
export async function lockErasures(trx: Db): Promise<void> {
  await trx.run(lock({}));
}

export interface Erasure {
  hash: string;
  erased_at: string;
}

/** The oldest erasures that are at least this many seconds old. */
export async function oldestErasures(db: Db, limit: number, age: number): Promise<Erasure[]> {
  return db.run<Erasure>(
    knex.raw(
      `select hash, erased_at from import_erasures
       where erased_at <= clock_timestamp() - make_interval(secs => ?) order by erased_at limit ?`,
      [age, limit],
    ),
  );
}

export async function deleteErasures(db: Db, erasures: readonly Erasure[]): Promise<void> {
  await db.run(
    knex.raw(
      `delete from import_erasures using json_to_recordset(?::json) as done(hash bigint, erased_at timestamptz)
       where import_erasures.hash = done.hash and import_erasures.erased_at = done.erased_at`,
      [storableJson(erasures)],
    ),
  );
}

export interface ChunkKey {
  import_id: string;
  number: number;
}

/** The next chunk that was stored at or before this time. */
export function chunkAfter(db: Db, last: ChunkKey | undefined, time: string): Promise<ChunkKey | undefined> {
  const { import_id = '00000000-0000-0000-0000-000000000000', number = -1 } = last ?? {};
  return first<ChunkKey>(
    db,
    knex.raw(
      `select import_id, number from import_chunks
       where (import_id, number) > (?, ?) and created_at <= ? order by import_id, number limit 1`,
      [import_id, number, time],
    ),
  );
}
