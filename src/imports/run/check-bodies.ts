import { schemas } from '../../../generated/limits.ts';
import { slugOf } from '../../content/slug.ts';
import { withLatestStatus } from '../../leads/import-rules.ts';
import { isClosed, type LeadStatus } from '../../leads/tables.ts';
import type { OperationContext } from '../../operation.ts';
import { invalidField, invalidFields, type Problem } from '../../problem.ts';
import { checkEach } from '../../resource/batches/check-items.ts';
import { isOwnerOfNote, isPastTime } from '../mapping/fields.ts';
import type { ImportOptions } from '../tables.ts';

export type Checks = Pick<OperationContext, 'checkBody' | 'checkItem'>;

type Body = Record<string, unknown>;

/** A valid body, or its faults. */
export type Item = object | Problem;

/** Validates the bodies as those of single requests. Fields that requests don't have are checked by themselves. */
export function checkBodies(
  { resource, on_duplicate }: Pick<ImportOptions, 'resource' | 'on_duplicate'>,
  bodies: readonly Body[],
  checks: Checks,
): Promise<Item[]> {
  const check = checkers[resource];
  return checkEach(bodies, (body) => {
    const { deal_id, ...others } = body;
    const { times, fields } = takeTimes(resource, others);
    const item = check({ fields, times, isNew: on_duplicate === 'reject' }, checks);
    if (deal_id !== undefined) return { ...item, ...checkTimes(times), deal_id: checkDealId(deal_id) };
    return { ...item, ...checkTimes(asClosed(item, times)) };
  });
}

interface Row {
  fields: Body;
  times: Body;
  /** Whether every row creates a resource (`on_duplicate: reject`). */
  isNew: boolean;
}

/** By resource, and returns the item to write. */
const checkers: Record<ImportOptions['resource'], (row: Row, checks: Checks) => object> = {
  leads: ({ fields, times, isNew }, { checkItem }) =>
    isNew
      ? checkItem('batchCreateLeads', withLatestStatus(fields, times))
      : checkItem('batchUpsertLeads', fields),
  contacts: ({ fields, isNew }, { checkItem }) =>
    checkItem(isNew ? 'batchCreateContacts' : 'batchUpsertContacts', fields),
  users: ({ fields, isNew }, { checkBody }) => checkBody(isNew ? 'createUser' : 'updateUser', fields),
  content: checkContent,
  notes: checkNote,
};

function checkContent({ fields: given, isNew }: Row, { checkBody }: Checks): object {
  const { title, type, status: givenStatus, ...others } = given;
  const status = inLowerCase(givenStatus);
  const fields = {
    ...(typeof title === 'string' && title !== '' && { title, slug: slugOf(title) }),
    ...(type !== undefined && { type: inLowerCase(type) }),
    ...others,
  };
  const statuses: readonly string[] = schemas.ContentStatus.enum;
  if (status !== undefined && !statuses.includes(String(status))) {
    throw invalidField('status', `must be one of ${statuses.join(', ')}`);
  }
  return {
    ...checkBody(isNew ? 'createContent' : 'updateContent', fields),
    ...(status !== undefined && { status }),
  };
}

function inLowerCase(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value;
}

/** Without defaults, since the row may update a note. */
function checkNote({ fields }: Row, { checkBody }: Checks): object {
  const entries = Object.entries(fields);
  const owner = Object.fromEntries(entries.filter(([field]) => isOwnerOfNote(field)));
  const note = Object.fromEntries(entries.filter(([field]) => !isOwnerOfNote(field)));
  const checked = Object.entries(checkBody('createNote', { ...note }));
  return { ...Object.fromEntries(checked.filter(([field]) => Object.hasOwn(note, field))), ...owner };
}

function takeTimes(resource: ImportOptions['resource'], body: Body) {
  const entries = Object.entries(body);
  const isTime = ([field]: [string, unknown]) => isPastTime(resource, field);
  return {
    times: Object.fromEntries(entries.filter(isTime)),
    fields: Object.fromEntries(entries.filter((entry) => !isTime(entry))),
  };
}

/** Without a deal, the time at which a lead was won or lost is that of its last change. */
function asClosed({ status }: { status?: LeadStatus }, { closed_at, ...times }: Body): Body {
  const isOf = closed_at !== undefined && status !== undefined && isClosed(status);
  return isOf ? { status_changed_at: closed_at, ...times } : times;
}

function checkDealId(id: unknown): string {
  const text = typeof id === 'string' ? id.trim() : '';
  if (text !== '' && text.length <= schemas.ExternalId.maxLength) return text;
  throw invalidField('deal_id', `must be a text of at most ${schemas.ExternalId.maxLength} characters`);
}

/** The times have been read, and so are written as in rows, unless that was impossible. */
function checkTimes(times: Body): Body {
  const wrong = Object.keys(times).filter((field) => !isTimestamp(times[field]));
  if (wrong.length === 0) return times;
  const message = 'must be a date or a time, such as 2027-01-31 or 2027-01-31T09:30:00Z';
  throw invalidFields(Object.fromEntries(wrong.map((field) => [field, [message]])));
}

function isTimestamp(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);
}
