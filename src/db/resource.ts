import { setImmediate } from 'node:timers/promises';
import type { Counters } from './counters.ts';
import { equals, equalsIgnoringCase } from './filters.ts';
import type { IdPrefix } from './id.ts';
import type { Db } from './knex.ts';
import type { Condition, SortableColumns } from './list.ts';
import { type Query, run } from './statement.ts';
import type { BaseRow } from './tables.ts';

/** A column of which no two rows may share a value; `matches` is the condition of the row that has it. */
export interface UniqueColumn {
  column: string;
  matches: (value: string) => Condition;
}

export const uniqueEmail: UniqueColumn = { column: 'email', matches: equalsIgnoringCase('email') };
export const uniqueExternalId: UniqueColumn = { column: 'external_id', matches: equals('external_id') };

/** What is particular to a resource, as far as SQL goes. All names are constants of ours; `Row` is that of its table. */
export interface Resource<Row extends BaseRow> {
  table: string;
  prefix: IdPrefix;
  /** How a message speaks of the row that has a unique value: `another lead`. */
  another: string;
  columns: readonly (keyof Row & string)[];
  sortable: SortableColumns;
  unique: readonly UniqueColumn[];
  /** Where triggers count the rows, for lists of very many. */
  counters?: Counters;
  /** `select … from …`, put together once. */
  select: string;
}

export function defineResource<Row extends BaseRow>(resource: Omit<Resource<Row>, 'select'>): Resource<Row> {
  return { ...resource, select: `select ${resource.columns.join(', ')} from ${resource.table}` };
}

/**
 * Stands for the moment of the statement that writes it. Not now(), the begin of the transaction: one that waited for
 * the row would set its clock back.
 */
export const NOW = Symbol('statement_timestamp()');

/** Columns to write; what is undefined is left alone. */
export type Values<Row> = {
  [Column in keyof Row]?: Row[Column] | (Date extends Row[Column] ? typeof NOW : never) | undefined;
};

/** Rows of one table that are about to be read. */
interface Batch {
  ids: string[];
  rows: Promise<Map<string, BaseRow>>;
}

/** Rows that one query reads at most: content may have a quarter of a megabyte. */
const MAX_AT_ONCE = 16;

const batches = new WeakMap<Db, Map<string, Batch>>();

/**
 * Those that requests of the same moment want come by one query: under load, the way to PostgreSQL and back costs
 * several times what looking up a row does.
 */
export async function findRow<Row extends BaseRow>(
  db: Db,
  resource: Resource<Row>,
  id: string,
): Promise<Row | undefined> {
  const open = batches.get(db) ?? new Map<string, Batch>();
  batches.set(db, open);
  const current = open.get(resource.table);
  const isOpen = current !== undefined && current.ids.length < MAX_AT_ONCE;
  const batch = isOpen ? current : openBatch(db, resource, open);
  batch.ids.push(id);
  const rows = await batch.rows;
  return rows.get(id) as Row | undefined;
}

function openBatch<Row extends BaseRow>(db: Db, resource: Resource<Row>, open: Map<string, Batch>): Batch {
  const ids: string[] = [];
  // As soon as the requests are looked through that have come by now.
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
 * How a row is held until the transaction ends: to delete it (`update`), to change it (`no key update`), so that nobody
 * changes it (`share`), or so that nobody deletes it (`key share`). A deletion looks at what refers to its row with
 * `key share`; that a change lets it pass is what keeps the two from waiting for each other.
 */
export type RowLock = 'update' | 'no key update' | 'share' | 'key share';

export async function lockRow<Row extends BaseRow>(
  db: Db,
  { table, select }: Resource<Row>,
  id: string,
  hold: RowLock,
): Promise<Row | undefined> {
  const sql = `${select} where id = ? for ${hold}`;
  const [row] = await run<Row>(db, { name: `${table}_for_${hold}`, sql, bindings: [id] });
  return row;
}

/** Undefined when another row has one of the unique values. */
export async function insertRow<Row extends BaseRow>(
  db: Db,
  resource: Resource<Row>,
  row: Values<Row>,
): Promise<Row | undefined> {
  const [inserted] = await run<Row>(db, insertion(resource, row));
  return inserted;
}

/**
 * The INSERT of one row, which gives it back; none when another row has one of the unique values. Only the usual one has
 * a name, where no column is left to its default: a resource's rows must all have the same columns, be they undefined.
 */
export function insertion<Row extends BaseRow>({ table, columns }: Resource<Row>, row: Values<Row>): Query {
  const given = Object.entries(row).filter(([, value]) => value !== undefined);
  const names = given.map(([name]) => name);
  return {
    name: names.length === Object.keys(row).length ? `insert_${table}` : undefined,
    sql: `insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})
      on conflict do nothing returning ${columns.join(', ')}`,
    bindings: given.map(([, value]) => value),
  };
}

/** Writes the changed columns, counts the version up and sets the time of the change. */
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
  if (row === undefined) throw new Error(`The row ${id} of ${table} vanished while it was locked.`);
  return row;
}

export async function deleteRow<Row extends BaseRow>(
  db: Db,
  { table }: Resource<Row>,
  id: string,
): Promise<void> {
  await run(db, { name: `delete_${table}`, sql: `delete from ${table} where id = ?`, bindings: [id] });
}

/** The first unique column of which a row other than `id` has the value, and that row's id. */
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
