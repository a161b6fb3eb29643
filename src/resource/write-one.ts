import type { Resource } from '../db/resource.ts';
import type { BaseRow } from '../db/tables.ts';
import { recordCreated, recordUpdated } from '../events/record-change.ts';
import { checkIfNoneMatch } from '../http/conditional.ts';
import { created, ok } from '../http/responses.ts';
import { isMergedKind, missingByExternalId } from '../merges/merged.ts';
import { findMergesByEmails } from '../merges/queries.ts';
import { typed } from '../metadata/queries.ts';
import type { OperationContext } from '../operation.ts';
import { toId, toNullableId } from '../values/id.ts';
import { findOrAdd } from './find-or-add.ts';
import { newFields } from './new-fields.ts';
import { readFields } from './read-fields.ts';
import { duplicate, lockOrThrow } from './rows.ts';
import type { AnswerOf, PersonTypes, SingleRules, Types } from './rules.ts';

interface Headers {
  'if-match'?: string;
  'if-none-match'?: string;
}

export function createOne<T extends Types>(rules: SingleRules<T>) {
  const { resource } = rules;
  const toAnswer = answerBy(rules);
  return async ({ body }: { body: T['new'] }, context: OperationContext) =>
    created(`${context.baseUrl}/${resource.table}`, toAnswer(await add(rules, body, context)));
}

function answerBy<T extends Types>({ toAnswer, toObject }: SingleRules<T>): (row: T['row']) => AnswerOf<T> {
  return toAnswer ?? (toObject as (row: T['row']) => AnswerOf<T>);
}

export function updateOne<T extends Types>(rules: SingleRules<T>) {
  const toAnswer = answerBy(rules);
  return async (
    input: { path: { id: string }; headers: Headers; body: T['patch'] },
    context: OperationContext,
  ) => {
    const patch = readFields(input.body);
    await rules.lockFirst?.(context.db, [patch]);
    const before = await lockOrThrow(context.db, rules.resource, input);
    const references = await rules.lockReferences(context.db, [withoutCurrentAssignee(patch, before)]);
    const values = rules.patch(
      before,
      await typed(context.db, rules.resource.table, patch, before),
      references,
    );
    const after = await rules.updateRow(before, values, context);
    await recordUpdate(rules, before, after, context);
    return ok(toAnswer(after));
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
        values: [path.external_id],
        rowLock: 'no key update',
      },
      async () => {
        const problem = await missingByExternalId(context.db, resource.prefix, path.external_id);
        if (problem.code === 'merged') throw problem;
        const fields = newFields(headers, path.external_id, body);
        await refuseMergedEmail(context, resource, readFields(body).email);
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
  { db }: OperationContext,
  resource: Resource<Row>,
  email: string | null | undefined,
): Promise<void> {
  if (!email || !isMergedKind(resource.prefix)) return;
  const [survivor] = (await findMergesByEmails(db, resource.prefix, [email])).values();
  if (survivor !== undefined) throw duplicate(resource, { column: 'email', id: survivor });
}

/** Adds a resource. Throws 422 for a duplicate or an unknown reference. */
export async function add<T extends Types>(
  { kind, resource, lockReferences, toRow, insertRow, toObject }: SingleRules<T>,
  given: T['new'],
  context: OperationContext,
): Promise<T['row']> {
  const fields = await typed(context.db, resource.table, readFields(given));
  const row = toRow(fields, await lockReferences(context.db, [fields]));
  const added = await insertRow(row, context);
  await recordCreated(context, kind, toObject(added));
  return added;
}

/** Fills the empty fields of a locked lead or contact, and adds tags and metadata. Returns it after that. */
export async function merge<T extends PersonTypes>(
  rules: SingleRules<T>,
  before: T['row'],
  given: T['patch'],
  context: OperationContext,
): Promise<T['row']> {
  const patch = await typed(context.db, rules.resource.table, readFields(given), before);
  const references = await rules.lockReferences(context.db, [patch]);
  const after = await rules.updateRow(before, rules.merge(before, patch, references), context);
  await recordUpdate(rules, before, after, context);
  return after;
}

async function recordUpdate<T extends Types>(
  { kind, toObject, recordMore }: SingleRules<T>,
  before: T['row'],
  after: T['row'],
  context: OperationContext,
): Promise<void> {
  await recordUpdated(context, kind, toObject(before), toObject(after));
  await recordMore?.(context, [{ before, after }]);
}
