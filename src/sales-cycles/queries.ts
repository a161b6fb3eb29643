import type { Db } from '../db/db.ts';
import { knex, prepare } from '../db/query.ts';
import { type Origin, type StoredOrigin, storedOrigin } from '../leads/queries.ts';
import { type SalesCycleRow, salesCycleColumns } from '../leads/sales-cycles/tables.ts';

const ofLead = prepare<{ leadId: string }, SalesCycleRow>('sales_cycles_of_lead', ($) =>
  knex('sales_cycles').select(salesCycleColumns).where('lead_id', $('leadId')).orderByRaw('opened_at, id'),
);

/** The cycles of a locked lead, by when they were opened. */
export async function findCyclesOf(db: Db, leadId: string): Promise<SalesCycleRow[]> {
  return db.run(ofLead({ leadId }));
}

const byExternalId = prepare<{ externalId: string }, SalesCycleRow>('sales_cycle_by_external_id', ($) =>
  knex('sales_cycles').select(salesCycleColumns).where('external_id', $('externalId')),
);

export async function findByExternalId(db: Db, externalId: string): Promise<SalesCycleRow | undefined> {
  const [cycle] = await db.run(byExternalId({ externalId }));
  return cycle;
}

/** Columns of a cycle that was closed before it was written here. */
type PastCycle = Pick<
  SalesCycleRow,
  | 'id'
  | 'lead_id'
  | 'status'
  | 'source'
  | 'source_detail'
  | 'company'
  | 'tags'
  | 'assigned_user_id'
  | 'content_id'
  | 'lost_reason'
  | 'value_amount'
  | 'value_currency'
  | 'expected_close_on'
  | 'external_id'
> & { opened_at: string; closed_at: string };

const insertion = prepare<PastCycle & StoredOrigin, never>('insert_past_sales_cycle', ($) =>
  knex.raw(
    `with cycle as (
      insert into sales_cycles (id, lead_id, number, status, furthest_status, source, source_detail, company, tags,
        assigned_user_id, content_id, lost_reason, value_amount, value_currency, expected_close_on, external_id,
        opened_at, closed_at)
      values (?::uuid, ?::uuid, 0, ?, further_status(null, ?), ?, ?, ?, ?::text[], ?::uuid, ?::uuid, ?, ?::numeric, ?,
        ?::date, ?, ?, ?)
      returning *
    )
    insert into lead_status_changes
      (lead_id, from_status, to_status, changed_at, sales_cycle_id, actor_type, actor_id, actor_user_id, request_id)
    select lead_id, from_status, to_status, changed_at, id, ?, ?::uuid, ?::uuid, ?
    from cycle, lateral (
      values
        (1, (
          select status from sales_cycles as earlier
          where earlier.lead_id = cycle.lead_id and earlier.closed_at <= cycle.opened_at
          order by earlier.closed_at desc limit 1
        ), 'new', opened_at),
        (2, 'new', status, closed_at)
    ) as step (place, from_status, to_status, changed_at)
    order by place`,
    [
      ...['id', 'lead_id', 'status', 'status', 'source', 'source_detail', 'company', 'tags'],
      ...['assigned_user_id', 'content_id', 'lost_reason', 'value_amount', 'value_currency'],
      ...['expected_close_on', 'external_id', 'opened_at', 'closed_at'],
      ...['actor_type', 'actor_id', 'actor_user_id', 'request_id'],
    ].map((name) => $(name as keyof (PastCycle & StoredOrigin))),
  ),
);

/** Inserts a closed cycle with its history: it was opened as new, and then won or lost. */
export async function insertPastCycle(cycle: PastCycle, origin: Origin & { db: Db }): Promise<void> {
  await origin.db.run(insertion({ ...cycle, ...storedOrigin(origin) }));
}

interface Dates {
  leadId: string;
  id: string;
  opened: string | null;
  closed: string | null;
}

const dating = prepare<Dates, never>('date_sales_cycle', ($) =>
  knex.raw(
    `with step as (
      select id, to_status, row_number() over (order by changed_at, id) as place, count(*) over () as steps
      from lead_status_changes where lead_id = ?::uuid and sales_cycle_id = ?::uuid
    ), dated as (
      update lead_status_changes as change
      set changed_at = case when step.place = 1 then coalesce(?::timestamptz, changed_at) else coalesce(?::timestamptz, changed_at) end,
        seconds = case when step.place > 1 and step.steps = 2 then
          greatest(0, floor(date_part('epoch', coalesce(?::timestamptz, changed_at) - cycle.opened))) else seconds end
      from step, (select coalesce(?::timestamptz, opened_at) as opened from sales_cycles where id = ?::uuid) as cycle
      where change.lead_id = ?::uuid and change.id = step.id
        and (step.place = 1 or step.place = step.steps and is_closed(step.to_status))
    )
    update sales_cycles set opened_at = coalesce(?::timestamptz, opened_at),
      closed_at = case when closed_at is not null then coalesce(?::timestamptz, closed_at) end
    where id = ?::uuid`,
    [
      ...[$('leadId'), $('id'), $('opened'), $('closed'), $('closed'), $('opened'), $('id'), $('leadId')],
      ...[$('opened'), $('closed'), $('id')],
    ],
  ),
);

/** Says when a cycle was opened, and closed if it is: its first status change, and its last one. Null leaves a time as it is. */
export async function dateCycle(db: Db, dates: Dates): Promise<void> {
  await db.run(dating(dates));
}
