import type { Condition } from '../db/list/condition.ts';
import { equals, indexed } from '../db/list/filters.ts';
import type { ListSource } from '../db/list/page.ts';
import type { Resource } from '../db/resource.ts';
import type { BaseRow } from '../db/tables.ts';
import { type Actor, nameActors } from '../events/name-actors.ts';
import { type ExpandQuery, expander } from '../http/expand/expand.ts';
import { exportRows } from '../http/lists/export.ts';
import { type ListQuery, list } from '../http/lists/pagination.ts';
import { noStore, ok } from '../http/responses.ts';
import { missingByExternalId } from '../merges/merged.ts';
import type { OperationContext } from '../operation.ts';
import { findOrThrow } from './rows.ts';
import type { SingleRules, Types } from './rules.ts';

interface Versioned {
  id: string;
  version: number;
}

interface OneInput<Path> {
  path: Path;
  query: ExpandQuery;
}

type ReadContext = Pick<OperationContext, 'db' | 'principal'>;
type ListContext = ReadContext & Pick<OperationContext, 'url'>;

/** `check` throws 403 if the client may not read the row. */
export function getOne<Row extends BaseRow, Data extends Versioned>(
  resource: Resource<Row>,
  toData: (row: Row) => Data,
  check?: (row: Row, context: ReadContext) => void,
) {
  return async ({ path, query }: OneInput<{ id: string }>, context: ReadContext) => {
    const expand = expander(context, query);
    const row = await findOrThrow(context.db, resource, path.id);
    check?.(row, context);
    const data = toData(row);
    await expand(context.db, [row], [data]);
    return ok(data);
  };
}

/** The one with this id of the client's own. */
export function getOneByExternalId<T extends Types>({ resource, findRows, toObject }: SingleRules<T>) {
  return async ({ path, query }: OneInput<{ external_id: string }>, context: ReadContext) => {
    const expand = expander(context, query);
    const { db } = context;
    const [row] = await findRows(db, { external_id: [path.external_id] });
    if (row === undefined) throw await missingByExternalId(db, resource.prefix, path.external_id);
    const data = toObject(row);
    await expand(db, [row], [data]);
    return ok(data);
  };
}

/** The conditions of a list. `filteredBy()` makes them of its filters alone. */
type ConditionsOf<Query> = (query: Query, context: ListContext) => Condition[];

export function listAll<Row extends { id: string }, Query, Data>(
  source: ListSource,
  conditionsOf: ConditionsOf<Query>,
  toData: (row: Row) => Data,
) {
  return async ({ query }: { query: Query & ListQuery }, context: ListContext) =>
    list(context, source, { query, conditions: conditionsOf(query, context), toData });
}

/** The same for what somebody did, with their names. */
export function listNamed<Row extends { id: string }, Query, Data extends { actor: Actor }>(
  ...[source, conditionsOf, toData]: Parameters<typeof listAll<Row, Query, Data>>
) {
  const listUnnamed = listAll(source, conditionsOf, toData);
  return async (input: { query: Query & ListQuery }, context: ListContext) =>
    withNames(context, await listUnnamed(input, context));
}

interface Page<Data, Meta> {
  status: 200;
  headers: { Link?: string };
  body: { data: Data[]; meta: Meta };
}

async function withNames<Data extends { actor: Actor }, Meta>({ db }: ReadContext, page: Page<Data, Meta>) {
  const { body } = page;
  return { ...page, body: { ...body, data: await nameActors(db, body.data) } };
}

/** What belongs to the one in the path: `column` refers to it. */
export function listOf<Parent extends BaseRow, Row extends { id: string }, Query, Data>(
  parent: Resource<Parent>,
  column: string,
  ...[source, conditionsOf, toData]: Parameters<typeof listAll<Row, Query, Data>>
) {
  return async (
    { path, query }: { path: { id: string }; query: Query & ListQuery },
    context: ListContext,
  ) => {
    const { id } = await findOrThrow(context.db, parent, path.id);
    const conditions = [indexed(equals(column))(id), ...conditionsOf(query, context)];
    return list(context, source, { query, conditions, toData });
  };
}

/** The same for what somebody did, with their names. */
export function listNamedOf<
  Parent extends BaseRow,
  Row extends { id: string },
  Query,
  Data extends { actor: Actor },
>(...given: Parameters<typeof listOf<Parent, Row, Query, Data>>) {
  const listUnnamed = listOf<Parent, Row, Query, Data>(...given);
  return async (input: { path: { id: string }; query: Query & ListQuery }, context: ListContext) =>
    withNames(context, await listUnnamed(input, context));
}

type RowsContext = ListContext & Pick<OperationContext, 'mediaType' | 'readSnapshot'>;

/** The same as a page in JSON, or as all rows, as the client accepts. `check` throws 403 if it may not read them. */
export function listRowsOf<Parent extends BaseRow, Row extends { id: string }, Query, Data>(
  parent: Resource<Parent>,
  column: string,
  source: ListSource,
  conditionsOf: ConditionsOf<Query>,
  {
    check,
    toData,
  }: { check(row: Parent, context: ReadContext): void; toData(parent: Parent): (row: Row) => Data },
) {
  return async (
    { path, query }: { path: { id: string }; query: Query & ListQuery },
    context: RowsContext,
  ) => {
    const row = await findOrThrow(context.db, parent, path.id);
    check(row, context);
    const conditions = [equals(column)(row.id), ...conditionsOf(query, context)];
    const rows = { query, conditions, toData: toData(row) };
    return context.mediaType === 'application/json'
      ? noStore(await list(context, source, rows))
      : exportRows(context, source, rows);
  };
}

export function exportAll<Row, Query extends { sort?: string; search?: string; updated_from?: string }, Data>(
  source: ListSource,
  conditionsOf: (query: Query) => Condition[],
  toData: (row: Row) => Data,
) {
  return async ({ query }: { query: Query }, context: Omit<RowsContext, 'mediaType'>) =>
    exportRows(context, source, { query, conditions: conditionsOf(query), toData });
}
