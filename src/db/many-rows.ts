/** Statements that find or write many rows of a resource's table. */
import type { Knex } from 'knex';
import { changeTime } from './change-horizon.ts';
import type { Db } from './db.ts';
import { jsonChunks } from './json-chunks.ts';
import { knex, names, type Placeholders, prepareShapes, type Query, type Statement, sql } from './query.ts';
import { locked, type Resource, type RowLock } from './resource.ts';
import { NOW, type RowValues } from './row-statements.ts';
import type { BaseRow } from './tables.ts';

/** A row, and its columns to write. */
export interface Change<Row> {
  before: Row;
  changes: RowValues<Row>;
}

/** Ids (UUIDs) and unique values, by column. */
export type Wanted = Record<string, readonly string[]>;

/**
 * Finds the rows with one of the ids or unique values. Optionally locks them, in the order of their ids, so that transactions
 * that lock the same rows don't deadlock.
 */
export function prepareMatching<Row extends BaseRow>({
  table,
  columns,
  unique,
}: Resource<Row>): (wanted: Wanted, lock?: RowLock) => Statement<Row> {
  const none = Object.fromEntries(
    ['id', ...unique.map(({ column }) => column)].map((column) => [column, []]),
  );
  const prepared = prepareShapes<Wanted, Row>(`${table}_matching`);
  return (wanted, lock) =>
    prepared(lock ?? '', true, { ...none, ...wanted }, (bind) => {
      const given = (column: string) => bind((values) => values[column]);
      const ids = (condition: Knex.Raw) => knex(table).select('id').whereRaw(condition);
      const byValue = unique.map(({ column, ignoresCase, table: addresses }) => {
        if (!ignoresCase) return ids(sql`${knex.ref(column)} = any(${given(column)}::text[])`);
        const inLowerCase = sql`any(array(select lower(value) from unnest(${given(column)}::text[]) as value))`;
        if (addresses === undefined) return ids(sql`lower(${knex.ref(column)}) = ${inLowerCase}`);
        return knex(addresses).select('owner_id').whereRaw(sql`email = ${inLowerCase}`);
      });
      const matching = ids(sql`id = any(${given('id')}::uuid[])`).union(byValue);
      // The ids first, by the index of each column.
      const rows = knex(table).select(columns).where('id', sql`any(array(${matching}))`).orderBy('id');
      return lock === undefined ? rows : locked[lock](rows);
    });
}

/** NOW in JSON. */
const NOW_IN_JSON = 'infinity';

/**
 * An INSERT of rows, for each set of columns. Skips rows whose unique values exist already, and returns the inserted ones.
 * Inserts in the order of the unique values, so that transactions with the same values don't deadlock. Each statement needs a
 * `name` of its own.
 */
export function prepareInsertMany<Row extends BaseRow, Others extends object = object>(
  { table, columns, unique }: Resource<Row>,
  extend: (insert: Knex.Raw, other: Placeholders<Others>) => Query<Row> = (insert) => insert,
  name = `insert_many_${table}`,
): (rows: readonly RowValues<Row>[], others?: Others) => Generator<Statement<Row>> {
  type Bound = Others & { json: string };
  const prepared = prepareShapes<Bound, Row>(name);
  const orderOf = (row: RowValues<Row>) =>
    unique.map(({ column, ignoresCase }) => {
      const value = String(row[column as keyof Row] ?? '');
      return ignoresCase ? value.toLowerCase() : value;
    });
  return function* insert(rows, others = {} as Others) {
    for (const [set, group] of groupBySet(rows)) {
      const ordered = group.map((row) => ({ row, order: orderOf(row).join('\0') }));
      ordered.sort((a, b) => (a.order < b.order ? -1 : 1));
      for (const json of jsonChunks(ordered.map(({ row }) => row))) yield statement(json, set, others);
    }
  };

  function statement(given: string, set: string[], others: Others): Statement<Row> {
    return prepared(set.join(), true, { ...others, json: given }, (bind) => {
      const items = itemsOf(
        table,
        bind(({ json }) => json),
      );
      const insert: Knex.Raw = sql`
        insert into ${knex.ref(table)} (${names(set)}) select ${names(set)} from ${items}
        on conflict do nothing returning ${names(columns)}`;
      return extend(insert, (name) => bind((values) => values[name]));
    });
  }
}

/** The rows by the columns that they set. */
function groupBySet<Row>(rows: readonly RowValues<Row>[]): [string[], RowValues<Row>[]][] {
  const groups = new Map<string, RowValues<Row>[]>();
  for (const row of rows) {
    const set = Object.keys(row).join();
    const group = groups.get(set) ?? [];
    group.push(row);
    groups.set(set, group);
  }
  return [...groups].map(([set, group]) => [set.split(','), group]);
}

/** An UPDATE of locked rows that increments `version`, sets `updated_at` and returns them. */
export function prepareUpdateMany<Row extends BaseRow>({
  table,
  columns,
}: Resource<Row>): (changes: readonly Change<Row>[]) => Generator<Statement<Row>> {
  const prepared = prepareShapes<{ json: string }, Row>(`update_many_${table}`);
  return function* update(changes) {
    // If only some rows change a column, the others write back its current value.
    const set = [...new Set(changes.flatMap(({ changes }) => Object.keys(changes)))].sort();
    const rows = changes.map(({ before, changes }) => {
      const after: Record<string, unknown> = { ...before, ...changes };
      const values = set.map((column) => [column, after[column] === NOW ? NOW_IN_JSON : after[column]]);
      return { id: before.id, ...Object.fromEntries(values) };
    });
    for (const json of jsonChunks(rows)) yield statement(json, set);
  };

  function statement(given: string, set: string[]): Statement<Row> {
    return prepared(set.join(), true, { json: given }, (bind) => {
      const items = itemsOf(
        table,
        bind(({ json }) => json),
      );
      const writtenTo = (column: string) =>
        column.endsWith('_at')
          ? knex.raw(`case when item.?? = '${NOW_IN_JSON}' then ? else item.?? end`, [
              column,
              changeTime,
              column,
            ])
          : knex.raw('item.??', [column]);
      const assignments = set.flatMap((column) => [column, writtenTo(column)]);
      const row = (column: string) => knex.ref(`${table}.${column}`);
      const update: Knex.Raw = sql`
        update ${knex.ref(table)}
        set ${knex.raw('?? = ?, '.repeat(set.length), assignments)}
          version = ${row('version')} + 1, updated_at = ${changeTime}
        from ${items} where ${row('id')} = item.id
        returning ${names(columns.map((column) => `${table}.${column}`))}`;
      return update;
    });
  }
}

/** Turns a JSON array into rows of the table. */
function itemsOf(table: string, json: Knex.Raw): Knex.Raw {
  return sql`json_populate_recordset(null::${knex.ref(table)}, ${json}::json) as item`;
}

/** Runs the statements one after another, and returns all rows. */
export async function runAll<Row>(db: Db, statements: Iterable<Statement<Row>>): Promise<Row[]> {
  const rows: Row[] = [];
  for (const statement of statements) rows.push(...(await db.run(statement)));
  return rows;
}
