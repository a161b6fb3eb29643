/** Deletes leads, contacts and users, with what other records have of them. */
import { deleteRows, lockRow, type Resource } from '../db/resource.ts';
import type { BaseRow } from '../db/tables.ts';
import { recordDeleted } from '../events/record-change.ts';
import type { Recorder } from '../events/record-events.ts';
import { noContent } from '../http/responses.ts';
import { missingByExternalId } from '../merges/merged.ts';
import type { OperationContext } from '../operation.ts';
import { lockOrThrow } from '../resource/rows.ts';
import type { PersonTypes, SingleRules } from '../resource/rules.ts';
import { toId } from '../values/id.ts';
import { erasePeople } from './erase-people.ts';
import { eraseFromImports } from './erase-queries.ts';

interface Headers {
  'if-match'?: string;
}

/** `unlink` clears what refers to the row. */
export function deleteOne<T extends PersonTypes>(rules: SingleRules<T>, unlink?: Unlink) {
  return async (input: { path: { id: string }; headers: Headers }, context: OperationContext) => {
    await removeRows(
      rules,
      [await lockOrThrow(context.db, rules.resource, input, 'update')],
      context,
      unlink,
    );
    return noContent;
  };
}

type Remove = (
  input: { path: { id: string }; headers: Headers },
  context: OperationContext,
) => Promise<typeof noContent>;

/** Deletes the one with this id of the client's own. */
export function deleteByExternalId<Row extends BaseRow>(resource: Resource<Row>, remove: Remove) {
  return async (
    { path, headers }: { path: { external_id: string }; headers: Headers },
    context: OperationContext,
  ) => {
    const row = await lockRow(context.db, resource, path.external_id, 'update', 'external_id');
    if (row === undefined) throw await missingByExternalId(context.db, resource.prefix, path.external_id);
    return remove({ path: { id: toId(resource.prefix, row.id) }, headers }, context);
  };
}

/** Clears what refers to rows (UUIDs) that are about to be deleted. */
export type Unlink = (ids: string[], recorder: Recorder) => Promise<void>;

/** Deletes locked rows permanently, with the personal data that other records have of them. */
export async function removeRows<T extends PersonTypes>(
  rules: SingleRules<T>,
  rows: readonly T['row'][],
  context: Recorder,
  unlink?: Unlink,
): Promise<void> {
  const { hashes } = await removePeople(rules, rows, context, unlink);
  eraseFromImports(context.db, hashes);
}

/** The same, but leaves rows of imports. Returns what else was erased, and the hashes for eraseFromImports(). */
export async function removePeople<T extends PersonTypes>(
  { kind, resource }: SingleRules<T>,
  rows: readonly T['row'][],
  context: Recorder,
  unlink?: Unlink,
) {
  const ids = rows.map(({ id }) => id);
  await unlink?.(ids, context);
  await deleteRows(context.db, resource, ids);
  await recordDeleted(context, kind, ...ids);
  return erasePeople(context.db, kind, rows);
}
