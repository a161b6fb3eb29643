import type { Db } from '../../db/db.ts';
import { deleteRows } from '../../db/resource.ts';
import type { RowValues } from '../../db/row-statements.ts';
import type { BaseRow } from '../../db/tables.ts';
import { recordDeleted, recordUpdated } from '../../events/record-change.ts';
import { type NewEvent, recordEvents } from '../../events/record-events.ts';
import { checkIfMatch } from '../../http/conditional.ts';
import { ok } from '../../http/responses.ts';
import { missing } from '../../merges/merged.ts';
import { findMerge, insertMerge } from '../../merges/queries.ts';
import type { OperationContext } from '../../operation.ts';
import { invalidField, Problem } from '../../problem.ts';
import { toId, toUuid } from '../../values/id.ts';
import { emailsOf } from '../fields.ts';
import type { PersonTypes, SingleRules } from '../rules.ts';
import { leftoverText } from './leftovers.ts';
import { lockBoth, type References } from './lock-both.ts';

interface Input {
  path: { id: string };
  headers: { 'if-match'?: string };
  body: { lead_id?: string; contact_id?: string };
}

/** How leads or contacts are merged. */
export interface Merging<Row extends BaseRow> {
  references: References<Row>;
  /** Whether the user (UUID) may be assigned. Locks the user. */
  lockActiveUser(db: Db, id: string): Promise<boolean>;
  /** The columns of the one that stays: its own, or those of the other where it has none. */
  fill(stays: Row, other: Row): RowValues<Row>;
  /** Moves what refers to the other one, by UUID. Returns the columns of the one that stays that follow from that. */
  moveReferences(from: string, to: string, context: OperationContext): Promise<RowValues<Row>>;
}

/** What a merge does with notes. UUIDs. */
interface MergedNotes {
  move(owner: Owner, ids: { from: string; to: string }, context: OperationContext): Promise<void>;
  add(owner: Owner, id: string, note: { text: string }, context: OperationContext): Promise<unknown>;
}

interface Owner {
  prefix: 'lead' | 'contact';
}

/** Merges another lead or contact into the one in the path, which stays. */
export function mergeOne<T extends PersonTypes>(
  rules: SingleRules<T>,
  merging: Merging<T['row']>,
  notes: MergedNotes,
) {
  const { kind, resource, toObject } = rules;
  const field = `${kind}_id` as const;
  return async ({ path, headers, body }: Input, context: OperationContext) => {
    const { db } = context;
    const otherId = body[field] as string;
    const { stays, other } = await lockBoth(rules, merging.references, db, {
      stays: path.id,
      other: otherId,
    });
    if (stays === undefined) throw await missing(db, kind, path.id);
    if (stays.id === toUuid(kind, otherId)) throw invalidField(field, `must be the id of another ${kind}`);
    if (other === undefined) {
      const survivor = await mergedInto(db, kind, otherId);
      // The answer to the first request may have been lost.
      if (survivor === path.id) return ok(toObject(stays));
      throw unknownOther(kind, field, survivor);
    }
    checkIfMatch(headers['if-match'], stays.version);
    const filled = await withActiveAssignee(db, merging, stays, merging.fill(stays, other));
    await notes.move(resource, { from: other.id, to: stays.id }, context);
    const values = { ...filled, ...(await merging.moveReferences(other.id, stays.id, context)) };
    await replace(rules, other, stays, values, context);
    // Its unique values are free now.
    const after = await rules.updateRow(stays, values, context);
    await recordUpdated(context, kind, toObject(stays), toObject(after));
    const text = leftoverText(toObject(other), toObject(after));
    if (text !== undefined) await notes.add(resource, stays.id, { text }, context);
    return ok(toObject(after));
  };
}

/** Deletes the other one and remembers where it went. Its history stays readable: it is about a person who is still known. */
async function replace<T extends PersonTypes>(
  { kind, resource }: SingleRules<T>,
  other: T['row'],
  stays: T['row'],
  values: RowValues<T['row']>,
  context: OperationContext,
): Promise<void> {
  await deleteRows(context.db, resource, [other.id]);
  const external_id = values.external_id === other.external_id ? null : other.external_id;
  const kept = emailsOf({ ...stays, ...values });
  await insertMerge(context.db, kind, {
    id: other.id,
    merged_into: stays.id,
    external_id,
    emails: emailsOf(other).filter((email) => !kept.includes(email)),
  });
  const object = { id: toId(kind, other.id), merged_into: toId(kind, stays.id) };
  await recordEvents(context, [{ type: `${kind}.merged`, object, about: stays.id } as NewEvent]);
  // Before the update of the one that stays: a copy with unique columns can then follow the log in order.
  await recordDeleted(context, kind, other.id);
}

/** The id of what it was merged into. */
async function mergedInto(db: Db, kind: 'lead' | 'contact', id: string): Promise<string | undefined> {
  const uuid = toUuid(kind, id);
  const merge = uuid === undefined ? undefined : await findMerge(db, uuid);
  return merge && toId(kind, merge.merged_into);
}

function unknownOther(kind: string, field: string, merged_into: string | undefined): Problem {
  if (merged_into === undefined) return invalidField(field, `must be the id of an existing ${kind}`);
  const { code, message, details } = invalidField(field, `was already merged into ${merged_into}`);
  return new Problem(code, message, { details: { ...details, merged_into } });
}

/** Without a new assignee who is inactive. */
async function withActiveAssignee<Row extends { assigned_user_id: string | null }>(
  db: Db,
  { lockActiveUser }: { lockActiveUser: Merging<BaseRow>['lockActiveUser'] },
  { assigned_user_id: current }: Row,
  values: RowValues<Row>,
): Promise<RowValues<Row>> {
  const { assigned_user_id: assignee } = values as { assigned_user_id?: string | null };
  const isNew = typeof assignee === 'string' && assignee !== current;
  return isNew && !(await lockActiveUser(db, assignee)) ? { ...values, assigned_user_id: current } : values;
}
