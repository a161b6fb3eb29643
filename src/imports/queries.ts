import { type Db, first } from '../db/db.ts';
import { condition } from '../db/list/condition.ts';
import * as filters from '../db/list/filters.ts';
import type { ListSource } from '../db/list/page.ts';
import { knex, prepare } from '../db/query.ts';
import { bytesOfJob, jobsOf } from '../jobs/queries.ts';
import type { Input } from '../operation.ts';
import type { ImportRow } from './tables.ts';

export const imports = jobsOf<ImportRow, 'import'>('import', ['import']);

export const listedImports: ListSource = { ...imports, bytes: bytesOfJob };

export const importFilters: filters.FilterTable<Input<'listImports'>['query']> = {
  status: filters.anyOf('status'),
  resource: (resource) => condition('? = any(resources)', resource),
  created_from: filters.from('created_at'),
  created_to: filters.to('created_at'),
};

const chunk = prepare<{ id: string; client: string | null; number: number; rows: string }, never>(
  'insert_import_chunk',
  ($) =>
    knex('import_chunks').insert({
      import_id: $('id'),
      client_id: $('client'),
      number: $('number'),
      rows: $('rows'),
    }),
);

export async function insertChunk(
  db: Db,
  given: { id: string; client: string | null; number: number; rows: string },
): Promise<void> {
  await db.run(chunk(given));
}

/** Deletes the chunks of an import from this number on. */
export async function deleteChunks(db: Db, id: string, from = 0): Promise<void> {
  await db.run(knex('import_chunks').where({ import_id: id }).where('number', '>=', from).delete());
}

interface Chunk {
  /** JSON. */
  rows: string;
  created_at: string;
}

const rowsOf = prepare<{ id: string; number: number }, Chunk>('lock_import_chunk', ($) =>
  knex('import_chunks')
    .where({ import_id: $('id'), number: $('number') })
    .select('rows', 'created_at')
    .forUpdate(),
);

/** Locks and returns a chunk, so that nobody is erased from it meanwhile. Undefined after the last one. */
export function lockChunk(trx: Db, id: string, number: number): Promise<Chunk | undefined> {
  return first(trx, rowsOf({ id, number }));
}

const last = prepare<{ id: string }, { number: number | null }>('last_import_chunk', ($) =>
  knex('import_chunks')
    .where({ import_id: $('id') })
    .max({ number: 'number' }),
);

/** The number of an import's last chunk. Undefined without chunks. */
export async function findLastChunk(db: Db, id: string): Promise<number | undefined> {
  return (await first(db, last({ id })))?.number ?? undefined;
}

const deletion = prepare<{ id: string; number: number }, never>('delete_import_chunk', ($) =>
  knex('import_chunks')
    .where({ import_id: $('id'), number: $('number') })
    .delete(),
);

const replacement = prepare<{ id: string; number: number; rows: string }, never>('replace_import_rows', ($) =>
  knex('import_chunks')
    .where({ import_id: $('id'), number: $('number') })
    .update({ rows: $('rows') }),
);

/** Replaces the rows of a chunk. `rows` is JSON. */
export async function replaceRows(db: Db, id: string, number: number, rows: string): Promise<void> {
  await db.run(replacement({ id, number, rows }));
}

export async function deleteChunk(db: Db, id: string, number: number): Promise<void> {
  await db.run(deletion({ id, number }));
}

const seen = prepare<{ id: string; hashes: string[] }, { hash: string; row: number }>(
  'find_import_keys',
  ($) =>
    knex('import_keys')
      .where({ import_id: $('id') })
      .whereRaw('hash = any(?::bigint[])', [$('hashes')])
      .select('hash', 'row'),
);

/** Which of the hashes were added before, and by which row. */
export async function findSeenKeys(
  db: Db,
  id: string,
  hashes: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db.run(seen({ id, hashes: [...hashes] }));
  return new Map(rows.map(({ hash, row }) => [hash, row]));
}

/** A hash, and the row of the file that it comes from. */
interface ImportKey {
  hash: string;
  row: number;
}

const addition = prepare<{ id: string; hashes: string[]; rows: number[] }, never>('insert_import_keys', ($) =>
  knex.raw(
    `insert into import_keys (import_id, hash, "row")
      select ?::uuid, * from unnest(?::bigint[], ?::integer[]) on conflict do nothing`,
    [$('id'), $('hashes'), $('rows')],
  ),
);

export async function addKeys(db: Db, id: string, keys: readonly ImportKey[]): Promise<void> {
  if (keys.length === 0) return;
  await db.run(addition({ id, hashes: keys.map(({ hash }) => hash), rows: keys.map(({ row }) => row) }));
}
