import { leadRules } from '../../leads/lead-rules.ts';
import { leads } from '../../leads/queries.ts';
import type { OperationContext, Schema } from '../../operation.ts';
import { invalidField, Problem } from '../../problem.ts';
import { fillMissing } from '../../resource/fields.ts';
import { findOrAdd } from '../../resource/find-or-add.ts';
import { add, merge } from '../../resource/write-one.ts';
import { lockActiveUser } from '../../users/resolve-user.ts';
import { toId } from '../../values/id.ts';
import type { DeliveryOutcome } from '../queries.ts';
import type { InboundHookRow } from '../tables.ts';
import { mapLead } from './map-lead.ts';

export interface HookOutcome extends DeliveryOutcome {
  /** The mapped lead; null if it is not valid. */
  lead: Schema<'CreateLead'> | null;
}

/**
 * Creates or merges a lead from the payload, as the hook is configured. Rejects a payload that does not map to a valid
 * lead or violates a rule.
 */
export async function processPayload(
  hook: InboundHookRow,
  payload: unknown,
  context: OperationContext,
): Promise<HookOutcome> {
  let lead: HookOutcome['lead'] = null;
  try {
    const mapped = { ...(await references(hook, context)), ...mapLead(hook, payload) };
    lead = context.checkBody('createLead', mapped);
    return { ...(await store(lead, hook, context)), errors: null, lead };
  } catch (error) {
    if (!(error instanceof Problem) || error.details.errors === undefined) throw error;
    return { status: 'rejected', lead_id: null, errors: fillMissing({}, error.details.errors), lead };
  }
}

/** The hook's default assignee and content, without an inactive user, who gets no new leads. */
async function references(
  { assigned_user_id: user, content_id: content }: InboundHookRow,
  { db }: OperationContext,
) {
  const isActive = user !== null && (await lockActiveUser(db, user));
  return {
    ...(isActive && { assigned_user_id: toId('user', user) }),
    ...(content !== null && { content_id: toId('content', content) }),
  };
}

async function store(
  lead: Schema<'CreateLead'>,
  hook: InboundHookRow,
  context: OperationContext,
): Promise<Pick<HookOutcome, 'status' | 'lead_id'>> {
  const { row: existing, isNew } = await findOrAdd(
    context.db,
    { resource: leads, column: 'email', value: lead.email, rowLock: 'no key update' },
    () => add(leadRules, lead, context),
  );
  if (isNew) return { status: 'created', lead_id: existing.id };
  switch (hook.on_duplicate) {
    case 'reject':
      throw invalidField('email', 'is already used by another lead', 'duplicate_email');
    case 'ignore':
      return { status: 'ignored', lead_id: existing.id };
    case 'merge':
      await merge(leadRules, existing, lead, context);
      return { status: 'merged', lead_id: existing.id };
    default:
      return hook.on_duplicate satisfies never;
  }
}
