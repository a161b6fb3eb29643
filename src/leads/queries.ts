import type { Knex } from 'knex';
import { schemas } from '../../generated/limits.ts';
import { type ActorColumns, actorColumns } from '../actor.ts';
import { changeTime } from '../db/change-horizon.ts';
import type { Db } from '../db/db.ts';
import { applyAll, type Condition, condition, withValues } from '../db/list/condition.ts';
import * as filters from '../db/list/filters.ts';
import { knex, names, type Placeholders, prepare, type Query, type Statement, sql } from '../db/query.ts';
import { defineResource, uniqueEmails, uniqueExternalId } from '../db/resource.ts';
import { prepareInsert, type RowValues } from '../db/row-statements.ts';
import type { OperationContext, Schema } from '../operation.ts';
import { type LeadRow, type LeadStatus, type LeadStatusChangeRow, leadColumns } from './tables.ts';

export const leads = defineResource<LeadRow, 'lead'>({
  table: 'leads',
  prefix: 'lead',
  another: 'another lead',
  unique: [uniqueEmails('lead_emails'), uniqueExternalId],
  sortable: {
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    status_changed_at: 'timestamptz',
    name: 'text',
    expected_close_on: 'date',
    value_amount: 'numeric',
    next_step_at: 'timestamptz',
  },
  sparse: ['next_step_at'],
  sortedBy: { value: 'value_amount' },
  columns: leadColumns,
  counters: {
    table: 'lead_counters',
    changes: 'lead_counter_changes',
    owner: 'assigned_user_id',
    columns: ['status', 'source'],
  },
});

type LeadQuery = Schema<'LeadFilter'>;

export const leadFilters: filters.FilterTable<LeadQuery> = {
  ...filters.dateFilters,
  status: filters.indexed(filters.anyOf('status')),
  status_not: (statuses) => filters.anyOf('status')(without(statuses)),
  source: filters.indexed(filters.anyOf('source')),
  source_detail: filters.indexed(withSourceDetail),
  tag: filters.hasTag,
  tag_not: filters.hasNoTag,
  assigned_user_id: filters.indexed(filters.refersTo('assigned_user_id', 'user')),
  content_id: filters.indexed(filters.refersTo('content_id', 'content')),
  contact_id: filters.indexed(filters.refersTo('contact_id', 'contact')),
  email: filters.hasEmailIn('lead_emails'),
  phone: filters.hasPhone,
  company: filters.indexed(filters.equalsIgnoringCaseOrNone('company')),
  external_id: filters.indexed(filters.equals('external_id')),
  ids: filters.hasId('lead'),
  lost_reason: filters.indexed(filters.equalsIgnoringCaseOrNone('lost_reason')),
  inactive_since: inactiveSince,
  reached,
  status_changed_from: filters.from('status_changed_at'),
  status_changed_to: filters.to('status_changed_at'),
  currency: inCurrency,
  value_from: (amount) => condition('value_amount >= ?::numeric', amount),
  value_to: (amount) => condition('value_amount <= ?::numeric', amount),
  expected_close_from: filters.dateFrom('expected_close_on'),
  expected_close_to: filters.dateTo('expected_close_on'),
  ...filters.nextStepFilters,
  expected_close_on: () => condition(`coalesce(expected_close_on, 'infinity') = 'infinity'`),
};

function without(statuses: readonly LeadStatus[]): LeadStatus[] {
  return schemas.LeadStatus.enum.filter((status) => !statuses.includes(status));
}

export function withSourceDetail(detail: string): Condition {
  return detail === 'none' ? filters.isNull('source_detail') : filters.equals('source_detail')(detail);
}

export function inCurrency(currency: string): Condition {
  if (currency !== 'none') return { ...filters.equals('value_currency')(currency), isPlannedOnce: true };
  return filters.isNull('value_currency');
}

/** Leads that were neither changed nor had a note written or changed, since then. Most of them may be old. */
function inactiveSince(moment: string): Condition {
  return { ...condition('greatest(updated_at, last_note_at) < ?', filters.since(moment)), usesGin: true };
}

/** The statuses of the pipeline, in order. */
const pipeline = schemas.ConvertLead.status.enum;

/** Leads that entered this status or a later one. `lost` is later than none: a lead can be lost in any status. */
function reached(status: LeadStatus, { reached_from, reached_to }: Partial<LeadQuery>): Condition {
  if (reached_from === undefined && reached_to === undefined) {
    return condition(`${status}_at is not null`);
  }
  const statuses = status === 'lost' ? [status] : pipeline.slice(pipeline.indexOf(status));
  const entered = [
    filters.anyOf('to_status')(statuses),
    ...(reached_from === undefined ? [] : [filters.from('changed_at')(reached_from)]),
    ...(reached_to === undefined ? [] : [filters.to('changed_at')(reached_to)]),
  ];
  return {
    shape: `reached ${entered.map(({ shape }) => shape)}`,
    values: entered.flatMap(({ values }) => values),
    apply: (rows, values) =>
      rows.whereExists(
        knex('lead_status_changes')
          .select(sql`1`)
          .where('lead_id', knex.ref('leads.id'))
          .modify(applyAll, withValues(entered, values)),
      ),
  };
}

/** Who changes a lead's status, and in which request. */
export type Origin = Pick<OperationContext, 'actor' | 'requestId'>;

/** Inserts a lead and its first status change in one round trip. */
const insertLead = prepareInsert<LeadRow, StoredOrigin>(leads, withFirstChange);

export interface StoredOrigin extends ActorColumns {
  request_id: string;
}

export function storedOrigin({ actor, requestId }: Origin): StoredOrigin {
  return { ...actorColumns(actor), request_id: requestId };
}

export function withFirstChange(
  insert: Knex.QueryBuilder | Knex.Raw,
  $: Placeholders<StoredOrigin>,
): Query<LeadRow> {
  const change = knex('lead').select('id', 'status', 'status_changed_at', 'sales_cycle_id', {
    actor_type: knex.raw('?', [$('actor_type')]),
    actor_id: knex.raw('?::uuid', [$('actor_id')]),
    actor_user_id: knex.raw('?::uuid', [$('actor_user_id')]),
    request_id: knex.raw('?', [$('request_id')]),
  });
  const columns = [
    'lead_id',
    'to_status',
    'changed_at',
    'sales_cycle_id',
    'actor_type',
    'actor_id',
    'actor_user_id',
    'request_id',
  ];
  return knex
    .with('lead', insert)
    .with('change', knex.raw('insert into lead_status_changes (??) ?', [columns, change]))
    .from('lead')
    .select(leadColumns);
}

export function leadInsertion(row: RowValues<LeadRow>, origin: Origin): Statement<LeadRow> {
  return insertLead(row, storedOrigin(origin));
}

const insertChange = prepare<LeadStatusChangeRow, never>('insert_status_change', ($) =>
  knex('lead_status_changes').insert({
    lead_id: $('lead_id'),
    from_status: $('from_status'),
    to_status: $('to_status'),
    changed_at: $('changed_at'),
    actor_type: $('actor_type'),
    actor_id: $('actor_id'),
    actor_user_id: $('actor_user_id'),
    request_id: $('request_id'),
    sales_cycle_id: $('sales_cycle_id'),
  }),
);

export async function insertStatusChange(
  before: LeadRow,
  after: LeadRow,
  origin: Origin & { db: Db },
): Promise<void> {
  await origin.db.run(
    insertChange({
      lead_id: after.id,
      from_status: before.status,
      to_status: after.status,
      changed_at: after.status_changed_at,
      sales_cycle_id: after.sales_cycle_id,
      ...storedOrigin(origin),
    }),
  );
}

type Relinked = LeadRow & { unlinked_from: string };

interface Relink {
  contactIds: string[];
  to: string | null;
  limit: number;
}

const relink = prepare<Relink, Relinked>('relink_contacts', ($) => {
  const columns = names(leadColumns.map((column) => `leads.${column}`));
  return sql`
    update leads set contact_id = ${$('to')}::uuid, version = leads.version + 1, updated_at = ${changeTime}
    from (
      select id, contact_id as unlinked_from from leads where contact_id = any(${$('contactIds')}::uuid[])
      order by id limit ${$('limit')} for no key update
    ) as linked
    where leads.id = linked.id
    returning ${columns}, linked.unlinked_from`;
});

/** Links up to `limit` leads of contacts to another contact, or to none. Returns the updated rows with their previous contact. */
export async function relinkLeads(db: Db, values: Relink): Promise<Relinked[]> {
  return db.run(relink(values));
}
