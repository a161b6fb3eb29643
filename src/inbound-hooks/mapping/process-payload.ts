import { schemas } from '../../../generated/limits.ts';
import { findDeclared } from '../../metadata/queries.ts';
import type { OperationContext, Schema } from '../../operation.ts';
import { type FieldErrors, toSentences } from '../../problem.ts';
import { fillMissing } from '../../resource/fields.ts';
import type { Warning } from '../../spellings/read-fields.ts';
import { lockActiveUser } from '../../users/resolve-user.ts';
import { toId } from '../../values/id.ts';
import { jsonBytes } from '../../values/json-size.ts';
import { type DeliveryOutcome, hasRecentNote } from '../queries.ts';
import type { Read } from '../receiving/body/read-body.ts';
import type { InboundHookRow } from '../tables.ts';
import { isAccepted } from './accept.ts';
import { differencesOf, type Earlier, noteAbout, recordEnquiry } from './note-enquiry.ts';
import { composeNote, type Leftover } from './note-text.ts';
import { type LeadReading, readLead } from './read-lead.ts';
import { storeLead } from './store-lead.ts';

export interface HookOutcome extends DeliveryOutcome {
  /** The mapped lead; null if it is not valid. */
  lead: Schema<'CreateLead'> | null;
  /** The text of the note about it. */
  note: string | null;
}

const CUT: Warning = {
  field: 'note',
  message: 'The message is longer than a note can be, so its end was cut off.',
  value: '',
};

const REPEATED: Warning = {
  field: 'note',
  message: 'The person sent the same message within ten minutes, so it has no second note.',
  value: '',
};

const NOTHING = { lead_id: null, note_id: null, errors: null, warnings: null, lead: null, note: null };
const { maxItems: MAX_WARNINGS, 'x-max-bytes': MAX_BYTES } = schemas.InboundWarnings;

/**
 * Makes a lead from the payload, or adds to the one of a known person, as the hook is configured. Leaves out what is not
 * valid. Rejects a payload without a valid name or email. `earlier` is what the delivery led to before.
 */
export async function processPayload(
  hook: InboundHookRow,
  read: Read,
  context: OperationContext,
  earlier?: Earlier,
): Promise<HookOutcome> {
  if (!isAccepted(hook.accept_if, read)) return { ...NOTHING, status: 'skipped' };
  const declared = await findDeclared(context.db, 'leads');
  const reading = readLead(hook, read, { ...context, declared });
  const owner = await references(hook, context);
  const outcome = await storeLead({ ...owner.fields, ...reading.fields }, hook, context, earlier?.lead_id);
  const warnings = [...reading.warnings, ...owner.warnings, ...outcome.warnings];
  if ('errors' in outcome) {
    const others = warnings.filter(({ field }) => !(field in outcome.errors));
    const errors = fillMissing({}, toSentences(explained(outcome.errors, warnings)));
    return { ...NOTHING, status: 'rejected', errors, warnings: shown(others), lead: outcome.lead };
  }
  const { row, status, lead } = outcome.stored;
  const isAgain = earlier?.lead_id === row.id;
  // Since the delivery made the lead, others may have corrected it.
  const isOwn = isAgain && earlier.status === 'created';
  const differences = isOwn ? [] : differencesOf(outcome.stored);
  const told = differences.filter(({ field }) => field !== 'name' || !reading.isNameMadeUp);
  const note = composeNote(reading.message, [...told, ...leftovers(warnings, reading)]);
  const isReturn = status !== 'created' && !isAgain;
  // A visitor who clicks twice, or a sender that repeats itself with another time or id in its data.
  const said = note && { leadId: row.id, hookId: hook.id, text: note.text };
  const isRepeated = isReturn && said !== undefined && (await hasRecentNote(context.db, said));
  const note_id = isRepeated ? null : await noteAbout(row, note?.text, earlier, context);
  if (isReturn && !isRepeated) await recordEnquiry(row, context);
  return {
    status,
    lead_id: row.id,
    note_id,
    errors: null,
    warnings: shown([...warnings, ...(note?.isCut ? [CUT] : []), ...(isRepeated ? [REPEATED] : [])]),
    lead,
    note: isRepeated ? null : (note?.text ?? null),
  };
}

/** The hook's default assignee and content, without an inactive user, who gets no new leads. */
async function references(
  { assigned_user_id: user, content_id: content }: InboundHookRow,
  { db }: OperationContext,
) {
  const isActive = user !== null && (await lockActiveUser(db, user));
  const fields = {
    ...(isActive && { assigned_user_id: toId('user', user) }),
    ...(content !== null && { content_id: toId('content', content) }),
  };
  return { fields, warnings: user === null || isActive ? [] : [INACTIVE] };
}

const INACTIVE: Warning = {
  field: 'assigned_user_id',
  message: 'The user to whom the hook assigns leads is inactive, so this one has no owner.',
  value: '',
};

/** Says why a required field is missing, if its text could not be read. */
function explained(errors: FieldErrors, warnings: readonly Warning[]): FieldErrors {
  const entries = Object.entries(errors).map(([field, messages]) => {
    const reasons = warnings.filter((warning) => warning.field === field).map(({ message }) => message);
    return [field, messages.includes('is required') && reasons.length > 0 ? reasons : messages];
  });
  return Object.fromEntries(entries);
}

/** The texts that the lead did not take. One that another field has kept, such as `source_detail`, is not lost. */
function leftovers(warnings: readonly Warning[], { fields }: LeadReading): Leftover[] {
  const { source_detail: detail, metadata } = fields as { source_detail?: string; metadata?: object };
  const kept = [detail ?? '', ...Object.values(metadata ?? {}).map(String)];
  return warnings.flatMap(({ field, value: text }) =>
    text === '' || kept.some((other) => other.includes(text)) ? [] : [{ field, text }],
  );
}

/** As the delivery shows them. Null if there are none. */
function shown(warnings: readonly Warning[]): DeliveryOutcome['warnings'] {
  const entries = warnings.slice(0, MAX_WARNINGS).map(({ field, message }) => ({ field, message }));
  while (jsonBytes(entries) > MAX_BYTES) entries.pop();
  return entries.length === 0 ? null : entries;
}
