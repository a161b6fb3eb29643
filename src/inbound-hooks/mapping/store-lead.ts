import { leadRules } from '../../leads/lead-rules.ts';
import { leads } from '../../leads/queries.ts';
import { reopen } from '../../leads/reopen-lead.ts';
import { isClosed, type LeadRow } from '../../leads/tables.ts';
import type { OperationContext, Schema } from '../../operation.ts';
import { type FieldErrors, invalidField, Problem } from '../../problem.ts';
import { findOrAdd } from '../../resource/find-or-add.ts';
import { add, merge } from '../../resource/write-one.ts';
import type { Warning } from '../../spellings/read-fields.ts';
import { SECOND } from '../../values/time.ts';
import type { InboundHookRow } from '../tables.ts';
import { leaveOut } from './leave-out.ts';

export interface StoredLead {
  status: 'created' | 'merged' | 'ignored';
  lead: Schema<'CreateLead'>;
  row: LeadRow;
}

type StoreOutcome = { warnings: Warning[] } & (
  | { stored: StoredLead }
  | { errors: FieldErrors; lead: Schema<'CreateLead'> | null }
);

/**
 * Creates the lead, or merges it into the one with its email, as the hook is configured. Leaves out fields that are not
 * valid or violate a rule, except those that every lead needs: these give errors. `earlierLead` (UUID) is the lead of the same
 * delivery, if it was processed before.
 */
export async function storeLead(
  given: Record<string, unknown>,
  hook: InboundHookRow,
  context: OperationContext,
  earlierLead?: string | null,
): Promise<StoreOutcome> {
  const warnings: Warning[] = [];
  for (let fields = given; ; ) {
    let lead: Schema<'CreateLead'> | null = null;
    try {
      // The validation fills in defaults.
      lead = context.checkBody('createLead', structuredClone(withoutGaps(fields)));
      return { warnings, stored: await store(lead, hook, context, earlierLead) };
    } catch (error) {
      if (!(error instanceof Problem) || error.details.errors === undefined) throw error;
      const left = leaveOut(fields, error.details.errors);
      if (left === undefined) return { warnings, errors: error.details.errors, lead };
      ({ fields } = left);
      warnings.push(...left.warnings);
    }
  }
}

/** Without fields and tags that were left out. */
function withoutGaps(fields: Record<string, unknown>): Record<string, unknown> {
  const filled = Object.entries(fields).flatMap(([field, value]): [string, unknown][] => {
    if (value === undefined) return [];
    return [[field, Array.isArray(value) ? value.filter((member) => member !== undefined) : value]];
  });
  return Object.fromEntries(filled);
}

async function store(
  lead: Schema<'CreateLead'>,
  hook: InboundHookRow,
  context: OperationContext,
  earlierLead: string | null | undefined,
): Promise<StoredLead> {
  const { row, isNew } = await findOrAdd(
    context.db,
    { resource: leads, column: 'email', values: [lead.email], rowLock: 'no key update' },
    () => add(leadRules, { ...lead, ...firstContact(hook) }, context),
  );
  if (isNew) return { status: 'created', lead, row };
  switch (hook.on_duplicate) {
    case 'reject':
      throw invalidField('email', 'is already used by another lead', 'duplicate_email');
    case 'ignore':
      return { status: 'ignored', lead, row };
    case 'merge': {
      const isReturn = hook.on_return === 'reopen' && isClosed(row.status) && row.id !== earlierLead;
      const current = isReturn ? await reopen(row, asNextCycle(lead), context) : row;
      return { status: 'merged', lead, row: await merge(leadRules, current, lead, context) };
    }
    default:
      return hook.on_duplicate satisfies never;
  }
}

/** What an enquiry says about the sales cycle that begins with it. */
function asNextCycle({
  status,
  source,
  source_detail = null,
  value,
  content_id,
  assigned_user_id,
}: Schema<'CreateLead'>) {
  const owner = { ...(content_id && { content_id }), ...(assigned_user_id && { assigned_user_id }) };
  return {
    status: isClosed(status) ? 'new' : status,
    source,
    source_detail,
    ...(value && { value }),
    ...owner,
  } as const;
}

/** The next step of a new lead: somebody should contact the person soon. */
function firstContact({ first_contact_seconds: seconds }: InboundHookRow) {
  if (seconds === null) return {};
  const next_step_at = new Date(Date.now() + seconds * SECOND).toISOString();
  return { next_step: 'First contact', next_step_at };
}
