import { leadRules } from '../../leads/lead-rules.ts';
import { leads } from '../../leads/queries.ts';
import type { LeadRow } from '../../leads/tables.ts';
import type { OperationContext, Schema } from '../../operation.ts';
import { type FieldErrors, invalidField, Problem } from '../../problem.ts';
import { findOrAdd } from '../../resource/find-or-add.ts';
import { add, merge } from '../../resource/write-one.ts';
import type { Warning } from '../../spellings/read-fields.ts';
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
 * valid or violate a rule, except those that every lead needs: these give errors.
 */
export async function storeLead(
  given: Record<string, unknown>,
  hook: InboundHookRow,
  context: OperationContext,
): Promise<StoreOutcome> {
  const warnings: Warning[] = [];
  for (let fields = given; ; ) {
    let lead: Schema<'CreateLead'> | null = null;
    try {
      // The validation fills in defaults.
      lead = context.checkBody('createLead', structuredClone(withoutGaps(fields)));
      return { warnings, stored: await store(lead, hook, context) };
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
): Promise<StoredLead> {
  const { row, isNew } = await findOrAdd(
    context.db,
    { resource: leads, column: 'email', value: lead.email, rowLock: 'no key update' },
    () => add(leadRules, lead, context),
  );
  if (isNew) return { status: 'created', lead, row };
  switch (hook.on_duplicate) {
    case 'reject':
      throw invalidField('email', 'is already used by another lead', 'duplicate_email');
    case 'ignore':
      return { status: 'ignored', lead, row };
    case 'merge':
      return { status: 'merged', lead, row: await merge(leadRules, row, lead, context) };
    default:
      return hook.on_duplicate satisfies never;
  }
}
