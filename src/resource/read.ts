import type { Condition } from '../db/list/condition.ts';
import type { ListSource } from '../db/list/page.ts';
import type { Resource } from '../db/resource.ts';
import type { BaseRow } from '../db/tables.ts';
import { exportRows } from '../http/lists/export.ts';
import { type ListQuery, list } from '../http/lists/pagination.ts';
import { ok } from '../http/responses.ts';
import { missingByExternalId } from '../merges/merged.ts';
import type { OperationContext } from '../operation.ts';
import { findOrThrow } from './rows.ts';
import type { SingleRules, Types } from './rules.ts';

interface Versioned {
  id: string;
  version: number;
}

export function getOne<Row extends BaseRow, Data extends Versioned>(
  resource: Resource<Row>,
  toData: (row: Row) => Data,
) {
  return async ({ path }: { path: { id: string } }, { db }: Pick<OperationContext, 'db'>) =>
    ok(toData(await findOrThrow(db, resource, path.id)));
}

/** The one with this id of the client's own. */
export function getOneByExternalId<T extends Types>({ resource, findRows, toObject }: SingleRules<T>) {
  return async ({ path }: { path: { external_id: string } }, { db }: Pick<OperationContext, 'db'>) => {
    const [row] = await findRows(db, { external_id: [path.external_id] });
    if (row === undefined) throw await missingByExternalId(db, resource.prefix, path.external_id);
    return ok(toObject(row));
  };
}

export function listAll<Row extends { id: string }, Query, Data>(
  source: ListSource,
  conditionsOf: (query: Query) => Condition[],
  toData: (row: Row) => Data,
) {
  return async ({ query }: { query: Query & ListQuery }, context: Pick<OperationContext, 'db' | 'url'>) =>
    list(context, source, { query, conditions: conditionsOf(query), toData });
}

export function exportAll<Row, Query extends { sort?: string; search?: string; updated_from?: string }, Data>(
  source: ListSource,
  conditionsOf: (query: Query) => Condition[],
  toData: (row: Row) => Data,
) {
  return async ({ query }: { query: Query }, context: Pick<OperationContext, 'db' | 'readSnapshot'>) =>
    exportRows(context, source, { query, conditions: conditionsOf(query), toData });
}
