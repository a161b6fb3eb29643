/** Statements that write a row of a resource's table. */
import type { Knex } from 'knex';
import { changeTime } from './change-horizon.ts';
import {
  knex,
  type Placeholders,
  prepare,
  prepareShapes,
  type Query,
  type Statement,
  sql,
  toStatement,
} from './query.ts';
import type { BaseRow } from './tables.ts';

/** Placeholder for the time of the change, as in `updated_at`. */
export const NOW = Symbol('now');

/** Columns to write; undefined ones stay unchanged. */
export type RowValues<Row> = {
  [Column in keyof Row]?: Row[Column] | (Column extends `${string}_at` ? typeof NOW : never) | undefined;
};

interface Table<Row extends BaseRow> {
  table: string;
  /** For the names of statements, if it isn't the table. */
  name?: string;
  columns: readonly (keyof Row & string)[];
}

/**
 * An INSERT of one row that returns it, or nothing if another row has one of the unique values; `extend` adds further
 * CTEs. Compiled and named once, for the column set of the first fully defined row; other sets run unnamed.
 */
export function prepareInsert<Row extends BaseRow, Others extends object = object>(
  { table, name = table, columns }: Table<Row>,
  extend: (insert: Knex.QueryBuilder, other: Placeholders<Others>) => Query<Row> = (insert) => insert,
): (row: RowValues<Row>, others?: Others) => Statement<Row> {
  const build = (row: object, other: Placeholders<Others>) =>
    extend(knex(table).insert(row).onConflict().ignore().returning(columns), other);
  let named: { shape: string; insert(values: RowValues<Row> & Others): Statement<Row> } | undefined;
  return (row, others = {} as Others) => {
    const set = Object.entries(row).filter(([, value]) => value !== undefined);
    const shape = set.map(([column]) => column).join();
    if (named === undefined && set.length === Object.keys(row).length) {
      const insert = prepare<RowValues<Row> & Others, Row>(`insert_${name}`, ($) =>
        build(Object.fromEntries(set.map(([column]) => [column, $(column as keyof Row)])), $),
      );
      named = { shape, insert };
    }
    if (named?.shape === shape) return named.insert({ ...row, ...others });
    return toStatement(build(Object.fromEntries(set), (name) => sql`${others[name]}`));
  };
}

/** An UPDATE of some columns that increments `version`, sets `updated_at` and returns the row. */
export function prepareUpdate<Row extends BaseRow>({
  table,
  name = table,
  columns,
}: Table<Row>): (changes: RowValues<Row>, id: string) => Statement<Row> {
  const prepared = prepareShapes<{ changes: RowValues<Row>; id: string }, Row>(`update_${name}`);
  return (changes, id) => {
    const set = (Object.keys(changes) as (keyof Row & string)[])
      .filter((column) => changes[column] !== undefined)
      .map((column) => ({ column, isNow: changes[column] === NOW }));
    const shape = set.map(({ column, isNow }) => (isNow ? `${column} now` : column)).join();
    return prepared(shape, true, { changes, id }, (bind) => {
      const change = (column: keyof Row) => bind(({ changes }) => changes[column]);
      const values = set.map(({ column, isNow }) => [column, isNow ? changeTime : change(column)]);
      const update: Knex.QueryBuilder = knex(table)
        .where({ id: bind(({ id }) => id) })
        .update({ ...Object.fromEntries(values), version: sql`version + 1`, updated_at: changeTime })
        .returning(columns);
      return update;
    });
  };
}
