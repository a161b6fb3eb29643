/** Statements that write a row of a resource's table. */
import type { Knex } from 'knex';
import { knex, type Parameters, prepare, type Query, type Statement, toStatement } from './query.ts';
import type { BaseRow } from './tables.ts';

/**
 * Placeholder for the time of the statement that writes it. Not now(), the start of the transaction: after a wait for the
 * row's lock, that would set its timestamps back.
 */
export const NOW = Symbol('statement_timestamp()');

/** Columns to write; undefined ones stay unchanged. */
export type Values<Row> = {
  [Column in keyof Row]?: Row[Column] | (Date extends Row[Column] ? typeof NOW : never) | undefined;
};

interface Table<Row extends BaseRow> {
  table: string;
  columns: readonly (keyof Row & string)[];
}

/**
 * An INSERT of one row that returns it, or nothing if another row has one of the unique values; `extend` adds what else the
 * statement does. It is compiled once and named for the columns of the first row without an undefined one.
 */
export function prepareInsert<Row extends BaseRow, Others extends object = object>(
  { table, columns }: Table<Row>,
  extend: (insert: Knex.QueryBuilder, other: Parameters<Others>) => Query<Row> = (insert) => insert,
): (row: Values<Row>, others?: Others) => Statement<Row> {
  const build = (row: object, other: Parameters<Others>) =>
    extend(knex(table).insert(row).onConflict().ignore().returning(columns), other);
  let named: { shape: string; insert(values: Values<Row> & Others): Statement<Row> } | undefined;
  return (row, others = {} as Others) => {
    const set = Object.entries(row).filter(([, value]) => value !== undefined);
    const shape = set.map(([column]) => column).join();
    if (named === undefined && set.length === Object.keys(row).length) {
      const insert = prepare<Values<Row> & Others, Row>(`insert_${table}`, ($) =>
        build(Object.fromEntries(set.map(([column]) => [column, $(column as keyof Row)])), $),
      );
      named = { shape, insert };
    }
    if (named?.shape === shape) return named.insert({ ...row, ...others });
    return toStatement(build(Object.fromEntries(set), (name) => others[name]));
  };
}

/** Maximum sets of changed columns of a table for which an UPDATE is compiled once and named; further ones are not. */
export const MAX_NAMED_UPDATES = 32;

/** An UPDATE of some columns that increments `version`, sets `updated_at` and returns the row. */
export function prepareUpdate<Row extends BaseRow>({
  table,
  columns,
}: Table<Row>): (changes: Values<Row>, id: string) => Statement<Row> {
  const named = new Map<string, (values: Record<string, unknown>) => Statement<Row>>();
  const timestamp = knex.raw(`${NOW.description}`);
  const build = (changes: object, id: unknown) =>
    knex(table)
      .where('id', id as string)
      .update({ ...changes, version: knex.raw('version + 1'), updated_at: timestamp })
      .returning(columns);
  return (changes, id) => {
    const set = Object.entries(changes)
      .filter(([, value]) => value !== undefined)
      .map(([column, value]) => [column, value === NOW ? timestamp : value] as const);
    const shape = set.map(([column, value]) => (value === timestamp ? `${column}_now` : column)).join();
    if (!named.has(shape) && named.size < MAX_NAMED_UPDATES) {
      const update = prepare<Record<string, unknown>, Row>(`update_${table}_${named.size}`, ($) => {
        const parameters = set.map(([column, value]) => [column, value === timestamp ? value : $(column)]);
        return build(Object.fromEntries(parameters), $('id of the row'));
      });
      named.set(shape, update);
    }
    return (
      named.get(shape)?.({ ...changes, 'id of the row': id }) ??
      toStatement(build(Object.fromEntries(set), id))
    );
  };
}
