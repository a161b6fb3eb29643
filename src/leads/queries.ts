import type { Knex } from 'knex';
import {
  anyOf,
  conditionsOf,
  equals,
  equalsIgnoringCase,
  type FilterTable,
  from,
  overlaps,
  refersTo,
  to,
} from '../db/filters.ts';
import { type Condition, fetchPage, type ListPage, type ListRequest } from '../db/list.ts';
import { statement } from '../db/statement.ts';
import type { LeadRow, LeadStatus } from '../db/tables.ts';
import type { Input } from '../http/operation.ts';
import type { SortableColumns } from '../http/pagination.ts';

const columns = [
  'id',
  'name',
  'email',
  'phone',
  'status',
  'source',
  'company',
  'tags',
  'assigned_user_id',
  'content_id',
  'contact_id',
  'external_id',
  'lost_reason',
  'metadata',
  'status_changed_at',
  'created_at',
  'updated_at',
  'version',
] as const satisfies readonly (keyof LeadRow)[];

export const sortableColumns: SortableColumns = {
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  status_changed_at: 'timestamptz',
  name: 'text',
};

type LeadQuery = Input<'listLeads'>['query'];

const filters: FilterTable<LeadQuery> = {
  status: anyOf('status'),
  source: anyOf('source'),
  tag: overlaps('tags'),
  created_from: from('created_at'),
  created_to: to('created_at'),
  updated_from: from('updated_at'),
  updated_to: to('updated_at'),
  assigned_user_id: refersTo('assigned_user_id', 'user'),
  content_id: refersTo('content_id', 'content'),
  contact_id: refersTo('contact_id', 'contact'),
  email: equalsIgnoringCase('email'),
  external_id: equals('external_id'),
  reached,
};

/** Leads that entered this status or a later one; `lost` is a branch of its own, not a later one. */
function reached(status: LeadStatus, { reached_from, reached_to }: LeadQuery): Condition {
  const path: LeadStatus[] = ['new', 'contacted', 'qualified', 'won'];
  const statuses = status === 'lost' ? [status] : path.slice(path.indexOf(status));
  const entered = [
    anyOf('to_status')(statuses),
    ...(reached_from === undefined ? [] : [from('changed_at')(reached_from)]),
    ...(reached_to === undefined ? [] : [to('changed_at')(reached_to)]),
  ];
  return {
    sql: `exists (select 1 from lead_status_changes
      where lead_id = leads.id and ${entered.map(({ sql }) => sql).join(' and ')})`,
    bindings: entered.flatMap(({ bindings }) => bindings),
  };
}

export function findLeads(
  db: Knex,
  query: LeadQuery,
  request: Omit<ListRequest, 'conditions'>,
): Promise<ListPage<LeadRow>> {
  return fetchPage<LeadRow>(
    db,
    { table: 'leads', columns },
    { ...request, conditions: conditionsOf(filters, query) },
  );
}

const leadById = statement<{ id: string }, LeadRow>('lead_by_id', (knex, { id }) =>
  knex('leads').select(columns).where('id', id),
);

export async function findLead(db: Knex, id: string): Promise<LeadRow | undefined> {
  const [row] = await leadById(db, { id });
  return row;
}

const leadForUpdate = statement<{ id: string }, LeadRow>('lead_for_update', (knex, { id }) =>
  knex('leads').select(columns).where('id', id).forUpdate(),
);

/** Holds the row until the transaction ends, so that its version can't change in between. */
export async function lockLead(db: Knex, id: string): Promise<LeadRow | undefined> {
  const [row] = await leadForUpdate(db, { id });
  return row;
}

/** What a new lead brings; ids, times and version come from the service and the database. */
export type NewLead = Pick<
  LeadRow,
  | 'id'
  | 'name'
  | 'email'
  | 'phone'
  | 'status'
  | 'source'
  | 'company'
  | 'tags'
  | 'assigned_user_id'
  | 'content_id'
  | 'external_id'
  | 'lost_reason'
> & { metadata: string };

export interface Actor {
  /** uuid of the API client. */
  actor_id: string | null;
  request_id: string;
}

/** The lead and the first of its status changes, in one round trip. */
const newLead = statement<NewLead & Actor, LeadRow>('insert_lead', (knex, v) =>
  knex
    .with(
      'lead',
      knex('leads')
        .insert({
          id: v.id,
          name: v.name,
          email: v.email,
          phone: v.phone,
          status: v.status,
          source: v.source,
          company: v.company,
          tags: v.tags,
          assigned_user_id: v.assigned_user_id,
          content_id: v.content_id,
          external_id: v.external_id,
          lost_reason: v.lost_reason,
          metadata: v.metadata,
        })
        .onConflict()
        .ignore()
        .returning(columns),
    )
    .with(
      'change',
      knex.raw(
        `insert into lead_status_changes (lead_id, to_status, changed_at, actor_id, request_id)
         select id, status, status_changed_at, ?, ? from lead`,
        [v.actor_id, v.request_id],
      ),
    )
    .select(columns)
    .from('lead'),
);

/** Undefined when another lead has the email or external id. Throws when something referred to does not exist. */
export async function insertLead(db: Knex, lead: NewLead, actor: Actor): Promise<LeadRow | undefined> {
  const [row] = await newLead(db, { ...lead, ...actor });
  return row;
}

/** Writes the changed columns, counts the version up and records a change of status. */
export async function updateLeadRow(
  db: Knex,
  before: LeadRow,
  changes: Partial<LeadRow>,
  actor: Actor,
): Promise<LeadRow> {
  const entersStatus = changes.status !== undefined;
  // Not now(), the begin of the transaction: one that waited for the row would set the clock of the lead back.
  const changedAt = db.raw('statement_timestamp()');
  const [row] = await db('leads')
    .where('id', before.id)
    .update({
      ...changes,
      version: before.version + 1,
      updated_at: changedAt,
      ...(entersStatus && { status_changed_at: changedAt }),
    })
    .returning(columns);
  if (row === undefined) throw new Error('update returned no row');
  if (entersStatus) {
    await db('lead_status_changes').insert({
      lead_id: row.id,
      from_status: before.status,
      to_status: row.status,
      changed_at: row.status_changed_at,
      ...actor,
    });
  }
  return row;
}

export async function deleteLeadRow(db: Knex, id: string): Promise<void> {
  await db('leads').where({ id }).delete();
}

/** The id of a lead but this one that has the email or external id. */
export async function findOtherLead(
  db: Knex,
  id: string,
  by: { email: string } | { external_id: string },
): Promise<string | undefined> {
  const query = db('leads').whereNot({ id });
  const other = await ('email' in by
    ? query.whereRaw('lower(email) = lower(?)', [by.email]).first('id')
    : query.where(by).first('id'));
  return other?.id;
}
