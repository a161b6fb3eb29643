import { setImmediate } from 'node:timers/promises';
import type { Counters } from './counters.ts';
import type { Db } from './db.ts';
import { equals, equalsIgnoringCase } from './filters.ts';
import type { IdPrefix } from './id.ts';
import type { Condition, SortableColumns } from './list.ts';
import { type Query, run } from './statement.ts';
import type { BaseRow } from './tables.ts';

/** A column with unique values; `matches` is the condition for the row with a value. */
interface UniqueColumn {
  column: string;
  matches: (value: string) => Condition;
}

export const uniqueEmail: UniqueColumn = { column: 'email', matches: equalsIgnoringCase('email') };
export const uniqueExternalId: UniqueColumn = { column: 'external_id', matches: equals('external_id') };

/** How a resource is stored. All SQL names are constants; `Row` is the row type of its table. */
export interface Resource<Row extends BaseRow> {
  table: string;
  prefix: IdPrefix;
  /** The row that already has a unique value, in messages: `another lead`. */
  another: string;
  columns: readonly (keyof Row & string)[];
  sortable: SortableColumns;
  unique: readonly UniqueColumn[];
  /** Row counts maintained by triggers, for very long lists. */
  counters?: Counters;
  /** `select … from …`, built once. */
  select: string;
}

export function defineResource<Row extends BaseRow>(resource: Omit<Resource<Row>, 'select'>): Resource<Row> {
  return { ...resource, select: `select ${resource.columns.join(', ')} from ${resource.table}` };
}

/**
 * Placeholder for the time of the statement that writes it. Not now(), the start of the transaction: after a wait for the
 * row's lock, that would set its timestamps back.
 */
export const NOW = Symbol('statement_timestamp()');

/** Columns to write; undefined ones stay unchanged. */
export type Values<Row> = {
  [Column in keyof Row]?: Row[Column] | (Date extends Row[Column] ? typeof NOW : never) | undefined;
};

/** Rows of one table to read in one query. */
interface Batch {
  ids: string[];
  rows: Promise<Map<string, BaseRow>>;
}

/** Maximum rows per query: a content row may have a quarter of a megabyte. */
const MAX_BATCH = 16;

const batches = new WeakMap<Db, Map<string, Batch>>();

/**
 * Finds a row by id (UUID). Concurrent reads of a table share one query: under load, the round trip to PostgreSQL costs
 * several times as much as the lookup. Sixteen clients then take 15 to 40 % less CPU.
 */
export async function findRow<Row extends BaseRow>(
  db: Db,
  resource: Resource<Row>,
  id: string,
): Promise<Row | undefined> {
  const open = batches.get(db) ?? new Map<string, Batch>();
  batches.set(db, open);
  const current = open.get(resource.table);
  const isOpen = current !== undefined && current.ids.length < MAX_BATCH;
  const batch = isOpen ? current : openBatch(db, resource, open);
  batch.ids.push(id);
  const rows = await batch.rows;
  return rows.get(id) as Row | undefined;
}

function openBatch<Row extends BaseRow>(db: Db, resource: Resource<Row>, open: Map<string, Batch>): Batch {
  const ids: string[] = [];
  // Runs after the handlers of all requests that have arrived by now.
  const rows = setImmediate().then(() => {
    if (open.get(resource.table) === batch) open.delete(resource.table);
    return findRows(db, resource, ids);
  });
  const batch = { ids, rows };
  open.set(resource.table, batch);
  return batch;
}

async function findRows<Row extends BaseRow>(
  db: Db,
  { table, select }: Resource<Row>,
  ids: readonly string[],
): Promise<Map<string, Row>> {
  const sql = `${select} where id = any(?::uuid[])`;
  const rows = await run<Row>(db, { name: `${table}_by_ids`, sql, bindings: [ids] });
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Strength of a row lock, held until the transaction ends: to delete the row (`update`), to change it (`no key update`), to
 * prevent changes (`share`) or deletion (`key share`). A deletion locks the rows that refer to its row with `key share`,
 * which does not conflict with a change; otherwise the two could deadlock.
 */
export type RowLock = 'update' | 'no key update' | 'share' | 'key share';

export async function lockRow<Row extends BaseRow>(
  db: Db,
  { table, select }: Resource<Row>,
  id: string,
  lock: RowLock,
): Promise<Row | undefined> {
  const sql = `${select} where id = ? for ${lock}`;
  const [row] = await run<Row>(db, { name: `${table}_for_${lock}`, sql, bindings: [id] });
  return row;
}

/** Returns undefined if another row has one of the unique values. */
export async function insertRow<Row extends BaseRow>(
  db: Db,
  resource: Resource<Row>,
  row: Values<Row>,
): Promise<Row | undefined> {
  const [inserted] = await run<Row>(db, insertion(resource, row));
  return inserted;
}

/**
 * An INSERT of one row that returns it, or nothing if another row has one of the unique values. It is named only if no
 * column is left to its default; all rows of a resource must have the same keys, even if undefined.
 */
export function insertion<Row extends BaseRow>({ table, columns }: Resource<Row>, row: Values<Row>): Query {
  const columnsSet = Object.entries(row).filter(([, value]) => value !== undefined);
  const names = columnsSet.map(([name]) => name);
  return {
    name: names.length === Object.keys(row).length ? `insert_${table}` : undefined,
    sql: `insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})
      on conflict do nothing returning ${columns.join(', ')}`,
    bindings: columnsSet.map(([, value]) => value),
  };
}

/** Writes the changed columns, increments `version` and sets `updated_at`. The row must be locked. */
export async function updateRow<Row extends BaseRow>(
  db: Db,
  { table, columns }: Resource<Row>,
  id: string,
  changes: Values<Row>,
): Promise<Row> {
  const assignments = Object.entries({ ...changes, updated_at: NOW }).map(([column, value]) =>
    value === NOW ? `${column} = ${NOW.description}` : `${column} = ?`,
  );
  const [row] = await run<Row>(db, {
    sql: `update ${table} set ${assignments.join(', ')}, version = version + 1
      where id = ? returning ${columns.join(', ')}`,
    bindings: [...Object.values(changes).filter((value) => value !== NOW), id],
  });
  if (row === undefined) throw new Error(`The row ${id} of ${table} was deleted while it was locked.`);
  return row;
}

export async function deleteRow<Row extends BaseRow>(
  db: Db,
  { table }: Resource<Row>,
  id: string,
): Promise<void> {
  await run(db, { name: `delete_${table}`, sql: `delete from ${table} where id = ?`, bindings: [id] });
}

/** The first unique column whose value a row other than `id` has, with that row's id. */
export async function findConflict<Row extends BaseRow>(
  db: Db,
  { table, unique }: Resource<Row>,
  id: string,
  values: Values<Row>,
): Promise<{ column: string; id: string } | undefined> {
  for (const { column, matches } of unique) {
    const value: unknown = values[column as keyof Row];
    if (typeof value !== 'string') continue;
    const { sql, bindings } = matches(value);
    const [other] = await run<{ id: string }>(db, {
      sql: `select id from ${table} where ${sql} and id <> ? limit 1`,
      bindings: [...bindings, id],
    });
    if (other !== undefined) return { column, id: other.id };
  }
  return undefined;
}
