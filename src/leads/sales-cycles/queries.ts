import { type Db, first, one } from '../../db/db.ts';
import { type Condition, condition } from '../../db/list/condition.ts';
import * as filters from '../../db/list/filters.ts';
import { knex, prepare } from '../../db/query.ts';
import { defineResource, uniqueExternalId } from '../../db/resource.ts';
import type { Input } from '../../operation.ts';
import { inCurrency, withSourceDetail } from '../queries.ts';
import type { LeadRow, LeadStatus } from '../tables.ts';
import { type SalesCycleRow, salesCycleColumns } from './tables.ts';

export const salesCycles = defineResource<SalesCycleRow, 'cycle'>({
  table: 'sales_cycles',
  prefix: 'cycle',
  another: 'another sales cycle',
  unique: [uniqueExternalId],
  sortable: { opened_at: 'timestamptz', updated_at: 'timestamptz', closed_at: 'timestamptz' },
  sparse: ['closed_at'],
  columns: salesCycleColumns,
});

type Query = Input<'exportSalesCycles'>['query'];

export const salesCycleFilters: filters.FilterTable<Query> = {
  lead_id: filters.indexed(filters.refersTo('lead_id', 'lead')),
  status: filters.anyOf('status'),
  furthest_status: (values) => condition(`coalesce(furthest_status, 'none') = any(?)`, values),
  opened_from: filters.from('opened_at'),
  opened_to: filters.to('opened_at'),
  closed_from: filters.from('closed_at'),
  closed_to: filters.to('closed_at'),
  updated_from: filters.from('updated_at'),
  updated_to: filters.to('updated_at'),
  assigned_user_id: filters.refersTo('assigned_user_id', 'user'),
  source: filters.anyOf('source'),
  source_detail: withSourceDetail,
  content_id: filters.refersTo('content_id', 'content'),
  tag: hasTag,
  company: filters.equalsIgnoringCaseOrNone('company'),
  lost_reason: filters.equalsIgnoringCaseOrNone('lost_reason'),
  currency: inCurrency,
  external_id: filters.indexed(filters.equals('external_id')),
};

/** The index has only those with tags. */
function hasTag(tags: readonly string[]): Condition {
  return { ...condition(`tags && ?::text[] and tags <> '{}'`, tags), usesGin: true };
}

const byIds = prepare<{ ids: string[] }, SalesCycleRow>('sales_cycles_of_leads', ($) =>
  knex('sales_cycles')
    .select(salesCycleColumns)
    .where('id', knex.raw('any(?::uuid[])', [$('ids')])),
);

/** The cycles with these ids (UUIDs), by id. */
export async function findSalesCycles(db: Db, ids: string[]): Promise<Map<string, SalesCycleRow>> {
  const rows = ids.length === 0 ? [] : await db.run(byIds({ ids }));
  return new Map(rows.map((row) => [row.id, row]));
}

const last = prepare<{ leadId: string }, SalesCycleRow>('last_sales_cycle', ($) =>
  knex('sales_cycles')
    .select(salesCycleColumns)
    .where('lead_id', $('leadId'))
    .orderByRaw('closed_at desc nulls first, opened_at desc, id desc')
    .limit(1),
);

/** The lead's open cycle, else the one that was closed last. */
export async function findLastCycle(db: Db, leadId: string): Promise<SalesCycleRow | undefined> {
  return first(db, last({ leadId }));
}

type Continued = Pick<
  LeadRow,
  | 'sales_cycle_id'
  | 'sales_cycle_number'
  | 'sales_cycle_opened_at'
  | 'sales_cycles_won'
  | 'status'
  | 'status_changed_at'
  | 'lost_reason'
  | 'value_amount'
  | 'value_currency'
  | 'expected_close_on'
>;

const continued = prepare<{ leadId: string }, Continued & { is_own: boolean }>('continued_sales_cycle', ($) =>
  knex.raw(
    `select cycle.id as sales_cycle_id, cycle.number as sales_cycle_number, cycle.opened_at as sales_cycle_opened_at,
      (select count(*)::int from sales_cycles where lead_id = cycle.lead_id and status = 'won') as sales_cycles_won,
      cycle.status, (
        select max(changed_at) from lead_status_changes where lead_id = cycle.lead_id and sales_cycle_id = cycle.id
      ) as status_changed_at,
      cycle.lost_reason, cycle.value_amount, cycle.value_currency, cycle.expected_close_on,
      cycle.id = leads.sales_cycle_id as is_own
    from sales_cycles as cycle join leads on leads.id = cycle.lead_id
    where cycle.lead_id = ?::uuid
    order by cycle.closed_at desc nulls first, cycle.opened_at desc, cycle.id desc limit 1`,
    [$('leadId')],
  ),
);

/** The columns of a lead that has got the cycles of another one: those of the open cycle, else of the one closed last. */
export async function findContinued(db: Db, leadId: string): Promise<Partial<Continued>> {
  const { is_own, ...columns } = await one(db, continued({ leadId }));
  const { sales_cycle_number, sales_cycles_won } = columns;
  return is_own ? { sales_cycle_number, sales_cycles_won } : columns;
}

const numbering = prepare<{ leadId: string }, never>('number_sales_cycles', ($) =>
  knex.raw('select number_sales_cycles(?::uuid)', [$('leadId')]),
);

/** Numbers the lead's cycles by when they were opened. */
export async function numberSalesCycles(db: Db, leadId: string): Promise<void> {
  await db.run(numbering({ leadId }));
}

/** A status change of a cycle. */
export interface CycleChange {
  id: string;
  to_status: LeadStatus;
  changed_at: string;
}

const changes = prepare<{ leadId: string; cycleId: string }, CycleChange>('changes_of_sales_cycle', ($) =>
  knex('lead_status_changes')
    .select('id', 'to_status', 'changed_at')
    .where({ lead_id: $('leadId'), sales_cycle_id: $('cycleId') })
    .orderByRaw('changed_at, id'),
);

/** The status changes of a cycle, the oldest first. */
export async function findChanges(db: Db, { id, lead_id }: SalesCycleRow): Promise<CycleChange[]> {
  return db.run(changes({ leadId: lead_id, cycleId: id }));
}

const deletion = prepare<{ leadId: string; ids: string[] }, never>('delete_status_changes', ($) =>
  knex('lead_status_changes')
    .where('lead_id', $('leadId'))
    .where('id', knex.raw('any(?::uuid[])', [$('ids')]))
    .delete(),
);

export async function deleteChanges(db: Db, leadId: string, changes: readonly CycleChange[]): Promise<void> {
  await db.run(deletion({ leadId, ids: changes.map(({ id }) => id) }));
}

interface CorrectedChange {
  leadId: string;
  id: string;
  from: LeadStatus;
  to: LeadStatus;
}

const correction = prepare<CorrectedChange, never>('correct_status_change', ($) =>
  knex.raw(
    `with corrected as (
      update lead_status_changes set to_status = ? where lead_id = ?::uuid and id = ?::uuid
      returning lead_id, sales_cycle_id, changed_at
    ), next as (
      select later.ctid from lead_status_changes as later, corrected
      where later.lead_id = corrected.lead_id and later.from_status = ? and later.changed_at >= corrected.changed_at
        and later.sales_cycle_id <> corrected.sales_cycle_id
      order by later.changed_at, later.id limit 1
    )
    update lead_status_changes set from_status = ? from next where lead_status_changes.ctid = next.ctid`,
    [$('to'), $('leadId'), $('id'), $('from'), $('to')],
  ),
);

/** Corrects the status that a change led to, also as what the next cycle began with. */
export async function correctChange(db: Db, change: CorrectedChange): Promise<void> {
  await db.run(correction(change));
}
