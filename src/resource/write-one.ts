import { deleteRows, lockRow, type Resource } from '../db/resource.ts';
import type { BaseRow } from '../db/tables.ts';
import { erasePeople } from '../erasures/erase-people.ts';
import { eraseFromImports } from '../erasures/queries.ts';
import { recordCreated, recordDeleted, recordUpdated } from '../events/record-change.ts';
import type { Recorder } from '../events/record-events.ts';
import { checkIfNoneMatch } from '../http/conditional.ts';
import { created, noContent, ok } from '../http/responses.ts';
import { isMergedKind, missingByExternalId } from '../merges/merged.ts';
import { findMergesByEmails } from '../merges/queries.ts';
import type { OperationContext } from '../operation.ts';
import { toId, toNullableId } from '../values/id.ts';
import { findOrAdd } from './find-or-add.ts';
import { newFields } from './new-fields.ts';
import { duplicate, lockOrThrow } from './rows.ts';
import type { PersonTypes, SingleRules, Types } from './rules.ts';

interface Headers {
  'if-match'?: string;
  'if-none-match'?: string;
}

export function createOne<T extends Types>(rules: SingleRules<T>) {
  return async ({ body }: { body: T['new'] }, context: OperationContext) =>
    created(`${context.baseUrl}/${rules.resource.table}`, rules.toObject(await add(rules, body, context)));
}

export function updateOne<T extends Types>(rules: SingleRules<T>) {
  return async (
    input: { path: { id: string }; headers: Headers; body: T['patch'] },
    context: OperationContext,
  ) => {
    await rules.lockFirst?.(context.db, [input.body]);
    const before = await lockOrThrow(context.db, rules.resource, input);
    const references = await rules.lockReferences(context.db, [withoutCurrentAssignee(input.body, before)]);
    const values = rules.patch(before, input.body, references);
    const after = await rules.updateRow(before, values, context);
    await recordUpdated(context, rules.kind, rules.toObject(before), rules.toObject(after));
    return ok(rules.toObject(after));
  };
}

/** The current assignee may have been deactivated since, and needs no lock. */
function withoutCurrentAssignee<Patch extends Types['patch']>(patch: Patch, before: object): Patch {
  if (!('assigned_user_id' in before) || typeof patch.assigned_user_id !== 'string') return patch;
  const isCurrent = patch.assigned_user_id === toNullableId('user', before.assigned_user_id as string | null);
  return isCurrent ? { ...patch, assigned_user_id: undefined } : patch;
}

export function upsertOne<T extends Types>(rules: SingleRules<T>) {
  const { resource, kind, toObject } = rules;
  const update = updateOne(rules);
  return async (
    { path, headers, body }: { path: { external_id: string }; headers: Headers; body: T['patch'] },
    context: OperationContext,
  ) => {
    const { row, isNew } = await findOrAdd(
      context.db,
      {
        resource,
        column: 'external_id' as keyof T['row'] & string,
        value: path.external_id,
        rowLock: 'no key update',
      },
      async () => {
        const problem = await missingByExternalId(context.db, resource.prefix, path.external_id);
        if (problem.code === 'merged') throw problem;
        const fields = newFields(headers, path.external_id, body);
        await refuseMergedEmail(context, resource, body.email);
        return add(rules, rules.checkNew(context.checkBody, fields), context);
      },
    );
    if (isNew) return created(`${context.baseUrl}/${resource.table}`, toObject(row));
    checkIfNoneMatch(headers['if-none-match'], row.version);
    return update({ path: { id: toId(kind, row.id) }, headers, body }, context);
  };
}

/** Throws 422 if what had this address was merged into another row: a new one would be the duplicate again. */
async function refuseMergedEmail<Row extends BaseRow>(
  { db, principal }: OperationContext,
  resource: Resource<Row>,
  email: string | null | undefined,
): Promise<void> {
  if (!email || !isMergedKind(resource.prefix)) return;
  const [survivor] = (await findMergesByEmails(db, resource.prefix, [email])).values();
  if (survivor !== undefined) throw duplicate(resource, 'email', survivor, principal);
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

/** Adds a resource. Throws 422 for a duplicate or an unknown reference. */
export async function add<T extends Types>(
  { kind, lockReferences, toRow, insertRow, toObject }: SingleRules<T>,
  fields: T['new'],
  context: OperationContext,
): Promise<T['row']> {
  const row = toRow(fields, await lockReferences(context.db, [fields]));
  const added = await insertRow(row, context);
  await recordCreated(context, kind, toObject(added));
  return added;
}

/** Fills the empty fields of a locked lead or contact, and adds tags and metadata. Returns it after that. */
export async function merge<T extends PersonTypes>(
  rules: SingleRules<T>,
  before: T['row'],
  patch: T['patch'],
  context: OperationContext,
): Promise<T['row']> {
  const references = await rules.lockReferences(context.db, [patch]);
  const after = await rules.updateRow(before, rules.merge(before, patch, references), context);
  await recordUpdated(context, rules.kind, rules.toObject(before), rules.toObject(after));
  return after;
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
