import { contentImportRules } from '../../content/content-rules.ts';
import type { ContentRow } from '../../content/tables.ts';
import { isClosed, type LeadStatus } from '../../leads/tables.ts';
import { withTypes } from '../../metadata/declared.ts';
import { removeRows, type Unlink } from '../../privacy/remove.ts';
import { Problem } from '../../problem.ts';
import type { PersonTypes, Rules, SingleRules, Types, Writer } from '../../resource/rules.ts';
import { type Write, writeMany } from '../../resource/write-many.ts';
import { toUuid } from '../../values/id.ts';
import { changeable } from '../resources.ts';
import type { BulkJobOptions, Chunk } from '../tables.ts';
import type { Outcome } from './keep-results.ts';

type Action = BulkJobOptions['action'];

/** Somebody deleted the row since the job was created. */
class Missing extends Problem {
  constructor() {
    super('not_found', 'The row does not exist any more.');
  }
}

/** Changes the rows (UUIDs) that still exist by a valid merge patch. Leaves rows that `isMeant` excludes. */
export async function updateRows<T extends Types>(
  rules: Rules<T>,
  ids: readonly string[],
  patch: object,
  writer: Writer,
  isMeant: (row: T['row']) => boolean = () => true,
): Promise<Outcome[]> {
  const writes = ids.map(
    (id): Write<T> => ({
      id,
      fields: patch,
      plan(rows, references, declared) {
        const before = rows.find('id', id);
        if (before === undefined) throw new Missing();
        return {
          before,
          changes: isMeant(before)
            ? rules.patch(before, withTypes(declared, patch as T['patch'], before), references)
            : {},
        };
      },
    }),
  );
  const outcomes = await writeMany(rules, writes, true, writer);
  return outcomes.map((outcome): Outcome => {
    if (outcome.status !== 'failed') return { status: outcome.status };
    return outcome.error instanceof Missing ? { status: 'missing' } : outcome;
  });
}

/** Deletes the rows (UUIDs) that still exist. */
async function deleteRows<T extends PersonTypes>(
  rules: SingleRules<T>,
  ids: readonly string[],
  writer: Writer,
  unlink?: Unlink,
): Promise<Outcome[]> {
  const rows = await rules.findRows(writer.db, { id: [...ids] }, 'update');
  if (rows.length > 0) await removeRows(rules, rows, writer, unlink);
  const found = new Set(rows.map(({ id }) => id));
  return ids.map((id) => ({ status: found.has(id) ? 'deleted' : 'missing' }));
}

function changePeople<T extends PersonTypes>(
  rules: SingleRules<T>,
  { update, reassign }: Action,
  ids: readonly string[],
  writer: Writer,
  unlink?: Unlink,
): Promise<Outcome[]> {
  if (update !== undefined) return updateRows(rules, ids, update, writer);
  if (reassign === undefined) return deleteRows(rules, ids, writer, unlink);
  const from = toUuid('user', reassign.from);
  const isOwn = (row: PersonTypes['row']) =>
    row.assigned_user_id === from && (reassign.include_closed || !isClosedLead(row));
  return updateRows(rules, ids, { assigned_user_id: reassign.to }, writer, isOwn);
}

function isClosedLead({ status }: PersonTypes['row'] & { status?: LeadStatus }): boolean {
  return status !== undefined && isClosed(status);
}

/** Jobs only reassign content. */
function changeContent({ reassign }: Action, ids: readonly string[], writer: Writer): Promise<Outcome[]> {
  const from = reassign && toUuid('user', reassign.from);
  const isOwn = ({ author_user_id }: ContentRow) => author_user_id === from;
  return updateRows(contentImportRules, ids, { author_user_id: reassign?.to }, writer, isOwn);
}

/** Carries out an action on rows (UUIDs). */
export function changeRows(
  action: Action,
  resource: Chunk['resource'],
  ids: readonly string[],
  writer: Writer,
): Promise<Outcome[]> {
  const { leads, contacts } = changeable;
  switch (resource) {
    case 'leads':
      return changePeople(leads.rules, action, ids, writer);
    case 'contacts':
      return changePeople(contacts.rules, action, ids, writer, contacts.unlink);
    case 'content':
      return changeContent(action, ids, writer);
    default:
      throw new Error(`Jobs do not change ${resource}.`);
  }
}
