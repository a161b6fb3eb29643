import { updateRow } from '../db/resource.ts';
import { recordUpdated } from '../events/record-change.ts';
import { recordEvents } from '../events/record-events.ts';
import { toLead } from '../leads/lead.ts';
import { findFirstTimes } from '../leads/merge-queries.ts';
import { leads } from '../leads/queries.ts';
import type { ResolveReferences } from '../leads/references.ts';
import { findContinued, numberSalesCycles, salesCycles } from '../leads/sales-cycles/queries.ts';
import { correctedEvent } from '../leads/sales-cycles/record-corrections.ts';
import type { SalesCycleRow } from '../leads/sales-cycles/tables.ts';
import { isClosed, type LeadRow, type LeadStatus } from '../leads/tables.ts';
import { valueColumns } from '../leads/value.ts';
import { changeLead, patchedLead } from '../leads/write-lead.ts';
import type { Schema } from '../operation.ts';
import { invalidField } from '../problem.ts';
import { distinct } from '../resource/fields.ts';
import { updateOrThrow } from '../resource/rows.ts';
import type { Writer } from '../resource/rules.ts';
import { newUuid } from '../values/id.ts';
import { correctCycle } from './correct-cycle.ts';
import { withdrawClose } from './correct-status.ts';
import { dateCycle, findByExternalId, findCyclesOf, insertPastCycle } from './queries.ts';

/** A deal of another system. */
interface Deal {
  external_id: string;
  /** What it says about its sales cycle. */
  fields: Schema<'UpdateLead'> & { status: LeadStatus };
  /** Timestamps. Undefined for now. */
  opened_at: string | undefined;
  closed_at: string | undefined;
}

interface Added {
  lead: LeadRow;
  isChanged: boolean;
}

/**
 * Makes the deal a sales cycle of a locked lead, or corrects the one that it is already. Throws 422 for a deal of another lead,
 * and for a second open deal.
 */
export async function addDeal(
  lead: LeadRow,
  deal: Deal,
  { isUpdate, resolve, writer }: { isUpdate: boolean; resolve: ResolveReferences; writer: Writer },
): Promise<Added> {
  const { db } = writer;
  const known = await findByExternalId(db, deal.external_id);
  if (known !== undefined && known.lead_id !== lead.id) {
    throw invalidField('deal_id', 'is the id of a deal of another lead', 'duplicate_external_id');
  }
  if (known !== undefined && !isUpdate) return { lead, isChanged: false };
  const cycles = await findCyclesOf(db, lead.id);
  const [only] = cycles;
  const isUntouched = cycles.length === 1 && only?.version === 1 && only.closed_at === null;
  if (known?.closed_at) return correctClosed(lead, known, deal, { resolve, writer });
  const isCurrent = known !== undefined || (isUntouched && only?.external_id === null);
  if (!isCurrent && isClosed(deal.fields.status)) return addPast(lead, deal, { resolve, writer });
  if (!isCurrent && !isClosed(lead.status)) {
    throw invalidField(
      'deal_id',
      'is a second open deal of this lead, which can have one',
      'open_deal_exists',
    );
  }
  return followDeal(lead, deal, { resolve, writer });
}

interface Tools {
  resolve: ResolveReferences;
  writer: Writer;
}

/** Gives the lead's current cycle, or the next one of a closed lead, what the deal says. */
async function followDeal(before: LeadRow, deal: Deal, { resolve, writer }: Tools): Promise<Added> {
  const { db } = writer;
  const changed = await changeLead(before, patchedLead(before, deal.fields, resolve), writer);
  const cycle = (await findCyclesOf(db, before.id)).find(({ id }) => id === changed.sales_cycle_id);
  if (cycle === undefined) throw new Error(`The lead ${before.id} has lost its sales cycle.`);
  const { external_id } = deal;
  const isNew = cycle.external_id !== external_id;
  // Nobody knows how far a deal came that was lost before it was imported.
  const furthest = cycle.status === 'lost' ? { furthest_status: null } : {};
  if (isNew) await updateRow(db, salesCycles, cycle.id, { external_id, ...furthest });
  const lead = await withDates(changed, cycle.id, datesThatDiffer(deal, cycle), writer);
  await recordUpdated(writer, 'lead', toLead(before), toLead(lead));
  return { lead, isChanged: isNew || lead.version !== before.version };
}

/** A lead that shows the cycle after it got the dates of the deal. */
async function withDates(lead: LeadRow, id: string, deal: Deal, writer: Writer): Promise<LeadRow> {
  const { opened_at = null, closed_at = null } = deal;
  if (opened_at === null && closed_at === null) return lead;
  await dateCycle(writer.db, { leadId: lead.id, id, opened: opened_at, closed: closed_at });
  await numberSalesCycles(writer.db, lead.id);
  const cycles = await findCyclesOf(writer.db, lead.id);
  const cycle = cycles.find((each) => each.id === lead.sales_cycle_id);
  return updateOrThrow(writer, leads, lead, {
    ...(await findFirstTimes(writer.db, lead.id)),
    ...(cycle && { sales_cycle_opened_at: cycle.opened_at, sales_cycle_number: cycle.number }),
    ...(id === lead.sales_cycle_id && isClosed(lead.status) && { status_changed_at: closed_at ?? undefined }),
    ...(id === lead.sales_cycle_id && lead.status === 'new' && { status_changed_at: opened_at ?? undefined }),
  });
}

/** Adds a closed cycle beside those that the lead has. */
async function addPast(before: LeadRow, deal: Deal, { resolve, writer }: Tools): Promise<Added> {
  const { db } = writer;
  const { fields } = deal;
  const closed_at = deal.closed_at ?? new Date().toISOString();
  const { assigned_user_id, content_id } = resolve(fields);
  await insertPastCycle(
    {
      id: newUuid(),
      lead_id: before.id,
      status: fields.status,
      // What the deal does not say is what the lead is now.
      source: fields.source ?? before.source,
      source_detail: fields.source_detail ?? before.source_detail,
      company: fields.company ?? before.company,
      tags: distinct(fields.tags ?? undefined) ?? before.tags,
      assigned_user_id: assigned_user_id ?? before.assigned_user_id,
      content_id: content_id ?? before.content_id,
      lost_reason: fields.lost_reason ?? null,
      value_amount: null,
      value_currency: null,
      ...valueColumns(fields.value),
      expected_close_on: fields.expected_close_on ?? null,
      external_id: deal.external_id,
      opened_at: deal.opened_at ?? closed_at,
      closed_at,
    },
    writer,
  );
  await numberSalesCycles(db, before.id);
  const lead = await updateOrThrow(writer, leads, before, {
    ...(await findFirstTimes(db, before.id)),
    ...(await findContinued(db, before.id)),
  });
  await recordUpdated(writer, 'lead', toLead(before), toLead(lead));
  return { lead, isChanged: true };
}

/** Corrects a closed cycle, or makes it open again. */
async function correctClosed(
  before: LeadRow,
  known: SalesCycleRow,
  deal: Deal,
  { writer }: Tools,
): Promise<Added> {
  const { status, value, lost_reason } = deal.fields;
  const isLast = before.sales_cycle_id === known.id;
  if (!isClosed(status) && !isLast) {
    throw invalidField('status', "can't be open again: the lead has a later sales cycle");
  }
  const values = { ...valueColumns(value, known), ...(status === 'lost' && { lost_reason }) };
  const corrected = isClosed(status)
    ? await correctCycle({ lead: before, before: known, status, values }, writer)
    : await withdrawClose(before, known, status, writer);
  const lead = isClosed(status)
    ? await withDates(corrected.lead, known.id, datesThatDiffer(deal, known), writer)
    : corrected.lead;
  const after = (await findCyclesOf(writer.db, lead.id)).find(({ id }) => id === known.id);
  const isChanged = after !== undefined && JSON.stringify(after) !== JSON.stringify(known);
  await recordUpdated(writer, 'lead', toLead(before), toLead(lead));
  if (isChanged) await recordEvents(writer, [correctedEvent(known, after)]);
  return { lead, isChanged };
}

/** A deal was closed before it was written here, so it was opened before, too. */
function datesThatDiffer(deal: Deal, { opened_at, closed_at }: SalesCycleRow): Deal {
  const isEarlier = deal.closed_at !== undefined && deal.closed_at < opened_at;
  const opened = deal.opened_at ?? (isEarlier ? deal.closed_at : undefined);
  return {
    ...deal,
    opened_at: opened === opened_at ? undefined : opened,
    closed_at: deal.closed_at === closed_at ? undefined : deal.closed_at,
  };
}
