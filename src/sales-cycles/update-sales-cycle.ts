import { lockExisting } from '../content/queries.ts';
import type { RowValues } from '../db/row-statements.ts';
import { updatedEvents } from '../events/record-change.ts';
import { recordEvents } from '../events/record-events.ts';
import { ok } from '../http/responses.ts';
import { checkLostReason, toLead } from '../leads/lead.ts';
import { leads } from '../leads/queries.ts';
import { salesCycles } from '../leads/sales-cycles/queries.ts';
import { correctedEvent } from '../leads/sales-cycles/record-corrections.ts';
import { toSalesCycle } from '../leads/sales-cycles/sales-cycle.ts';
import type { SalesCycleRow } from '../leads/sales-cycles/tables.ts';
import { isClosed, type LeadRow } from '../leads/tables.ts';
import { valueColumns } from '../leads/value.ts';
import type { Input, OperationContext, Result, Schema } from '../operation.ts';
import { invalidField } from '../problem.ts';
import { distinct } from '../resource/fields.ts';
import { findOrThrow, lockOrThrow } from '../resource/rows.ts';
import { users } from '../users/queries.ts';
import { toId, toUuid } from '../values/id.ts';
import { correctCycle } from './correct-cycle.ts';
import { type Corrected, withdrawClose } from './correct-status.ts';

type Patch = Schema<'UpdateSalesCycle'>;

/** Corrects a closed cycle, or withdraws that it was closed. What is about its lead changes there, too. */
export async function updateSalesCycle(
  input: Input<'updateSalesCycle'>,
  context: OperationContext,
): Promise<Result<'updateSalesCycle'>> {
  const { db } = context;
  const { lead_id } = await findOrThrow(db, salesCycles, input.path.id);
  const lead = await lockOrThrow(db, leads, { path: { id: toId('lead', lead_id) }, headers: {} });
  const before = await lockOrThrow(db, salesCycles, input);
  const { status, ...fields } = input.body;
  checkIsClosed(before, input.body);
  if (status !== undefined && !isClosed(status)) {
    checkIsAlone(fields);
    if (lead.sales_cycle_id !== before.id) {
      throw invalidField('status', "can't be open again: the lead has a later sales cycle");
    }
    const after = await withdrawClose(lead, before, status, context);
    return answer(lead, before, after, context);
  }
  checkLostReason(status ?? before.status, fields.lost_reason);
  const values = await columnsOf(fields, before, context);
  return answer(lead, before, await correctCycle({ lead, before, status, values }, context), context);
}

async function answer(
  lead: LeadRow,
  before: SalesCycleRow,
  after: Corrected,
  context: OperationContext,
): Promise<Result<'updateSalesCycle'>> {
  const isChanged = after.cycle.version !== before.version;
  await recordEvents(context, [
    ...updatedEvents('lead', toLead(lead), toLead(after.lead)),
    ...(isChanged ? [correctedEvent(before, after.cycle)] : []),
  ]);
  return ok(toSalesCycle(after.cycle));
}

/** Throws 409 if the cycle is open, except for the deal's id: an open one follows its lead. */
function checkIsClosed({ closed_at, lead_id }: SalesCycleRow, { external_id: _id, ...others }: Patch): void {
  const [field] = Object.keys(others);
  if (closed_at !== null || field === undefined) return;
  throw invalidField(
    field,
    `can't be corrected while the sales cycle is open; change the lead ${toId('lead', lead_id)} instead`,
    'sales_cycle_open',
  );
}

function checkIsAlone(others: Omit<Patch, 'status'>): void {
  const [field] = Object.keys(others);
  if (field === undefined) return;
  throw invalidField(
    field,
    "can't be sent with an open status; send the status alone, and then change the lead",
  );
}

/** The columns to correct. A user may have left since, so also an inactive one is accepted. */
async function columnsOf(
  { value, tags, assigned_user_id, content_id, ...fields }: Omit<Patch, 'status'>,
  before: SalesCycleRow,
  { db }: OperationContext,
): Promise<RowValues<SalesCycleRow>> {
  return {
    ...fields,
    ...valueColumns(value, before),
    ...(tags && { tags: distinct(tags) }),
    ...(assigned_user_id !== undefined && { assigned_user_id: await userOf(db, assigned_user_id) }),
    ...(content_id !== undefined && { content_id: await contentOf(db, content_id) }),
  };
}

async function userOf(db: OperationContext['db'], id: string | null): Promise<string | null> {
  if (id === null) return null;
  const uuid = toUuid('user', id) ?? '';
  const [user] = uuid === '' ? [] : await db.run(users.statements.findByIds({ ids: [uuid] }));
  if (user === undefined) throw invalidField('assigned_user_id', 'must be the id of a user');
  return uuid;
}

async function contentOf(db: OperationContext['db'], id: string | null): Promise<string | null> {
  if (id === null) return null;
  const uuid = toUuid('content', id);
  const found = uuid === undefined ? new Set() : await lockExisting(db, [uuid]);
  if (uuid === undefined || !found.has(uuid)) {
    throw invalidField('content_id', 'must be the id of existing content');
  }
  return uuid;
}
