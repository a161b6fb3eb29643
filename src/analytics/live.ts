/** What the reports count, found in the leads and their status changes themselves. */

import type { Condition } from '../db/list.ts';
import { join, raw, sql } from '../db/sql.ts';

/** Moments in milliseconds; `end` does not belong to it. */
export interface Span {
  begin: number;
  end: number;
}

/** Where to look: at what happened in these spans, to the leads that meet the conditions. */
export interface Live {
  spans: readonly Span[];
  conditions: readonly Condition[];
}

/** The first times of a lead. Who enters a later status has come past the ones before. */
const milestones = sql`(
  select min(changed_at) filter (where to_status in ('contacted', 'qualified', 'won')) as contacted_at,
    min(changed_at) filter (where to_status in ('qualified', 'won')) as qualified_at,
    min(changed_at) filter (where to_status = 'won') as won_at,
    min(changed_at) filter (where to_status = 'lost') as lost_at,
    coalesce(bool_or(to_status <> 'lost'), false) as was_open
  from lead_status_changes where lead_id = leads.id
) milestones`;

const leadColumns = raw(
  'leads.id, source, status, assigned_user_id, content_id, created_at, status_changed_at',
);

/** The leads that were created in the spans, each with its first times. */
export function cohort({ spans, conditions }: Live): Condition {
  return sql`
    select ${leadColumns}, milestones.* from leads cross join lateral ${milestones}
    where ${within('leads.created_at', spans)} and ${all(conditions)}`;
}

/** The leads that entered a status after `new` in the spans, each with its first times. */
function changedLeads({ spans, conditions }: Live): Condition {
  return sql`
    select ${leadColumns}, milestones.*
    from (
      select distinct lead_id as id from lead_status_changes where to_status <> 'new' and ${changedWithin(spans)}
    ) changed
    join leads using (id) cross join lateral ${milestones}
    where ${all(conditions)}`;
}

/** The leads that were created in the spans or entered a status in them, each with its first times. */
export function touchedLeads({ spans, conditions }: Live): Condition {
  return sql`
    select ${leadColumns}, milestones.*
    from (
      select id from leads where ${within('created_at', spans)}
      union
      select lead_id from lead_status_changes where ${changedWithin(spans)}
    ) touched
    join leads using (id) cross join lateral ${milestones}
    where ${all(conditions)}`;
}

/** Of a cohort: all of its leads, those that ever reached a status or a later one, those that are in a status now. */
export const counts = sql`
  count(*)::int as leads,
  count(*) filter (where was_open)::int as reached_new,
  count(contacted_at)::int as reached_contacted,
  count(qualified_at)::int as reached_qualified,
  count(won_at)::int as reached_won,
  count(*) filter (where status = 'new')::int as in_new,
  count(*) filter (where status = 'contacted')::int as in_contacted,
  count(*) filter (where status = 'qualified')::int as in_qualified,
  count(*) filter (where status = 'won')::int as in_won,
  count(*) filter (where status = 'lost')::int as in_lost`;

/** Of the leads of a cohort, the seconds from one of their times to another, beside what tells these leads apart: kind, second. */
export function durations(leads: Condition): Condition {
  return sql`
    select source, assigned_user_id, content_id, kind,
      greatest(0, floor(extract(epoch from later - earlier)))::int as second
    from (${leads}) cohort cross join lateral (values
      ('to_contacted', created_at, contacted_at),
      ('to_qualified', contacted_at, qualified_at),
      ('to_won', qualified_at, won_at),
      ('to_closed', created_at, case when status in ('won', 'lost') then status_changed_at end)
    ) measured(kind, earlier, later)
    where later is not null`;
}

/** The stays in a status that ended in the spans: source, assigned_user_id, kind (`in_new`), second. */
export function stays(live: Live, leads = matching(live)): Condition {
  return sql`
    select source, assigned_user_id, 'in_' || changes.from_status as kind,
      greatest(0, floor(extract(epoch from changed_at - entered_at)))::int as second
    from (${changes(live, leads)}) changes cross join lateral (
      select max(changed_at) as entered_at from lead_status_changes entries
      where lead_id = changes.id and entries.to_status = changes.from_status
        and entries.changed_at <= changes.changed_at
    ) entry
    where from_status is not null and entered_at is not null`;
}

/** The entries into a status in the spans: source, assigned_user_id, kind (`entered_new`). */
export function entries(live: Live, leads = matching(live)): Condition {
  return sql`
    select source, assigned_user_id, 'entered_' || to_status as kind from (${changes(live, leads)}) changes`;
}

/** The first times that lie in the spans: source, status, assigned_user_id, kind, happened_at. */
export function events(live: Live, created = matching(live), changed = changedLeads(live)): Condition {
  return sql`
    select source, status, assigned_user_id, 'created' as kind, created_at as happened_at
    from (${created}) created where ${within('created_at', live.spans)}
    union all
    select source, status, assigned_user_id, kind, happened_at
    from (${changed}) changed cross join lateral (values
      ('contacted', contacted_at), ('qualified', qualified_at), ('won', won_at), ('lost', lost_at)
    ) milestone(kind, happened_at)
    where ${within('happened_at', live.spans)}`;
}

function matching({ conditions }: Live): Condition {
  return sql`select * from leads where ${all(conditions)}`;
}

function changes({ spans }: Live, leads: Condition): Condition {
  return sql`
    select leads.id, source, assigned_user_id, from_status, to_status, changed_at
    from lead_status_changes join (${leads}) leads on leads.id = lead_id
    where ${changedWithin(spans)}`;
}

/** The index on the moment of a change begins with the status. */
function changedWithin(spans: readonly Span[]): Condition {
  return sql`to_status in ('new', 'contacted', 'qualified', 'won', 'lost') and ${within('changed_at', spans)}`;
}

function within(column: string, spans: readonly Span[]): Condition {
  const pieces = spans.map(({ begin, end }) => {
    const bounds = [begin, end].map((moment) => new Date(moment).toISOString());
    return { sql: `(${column} >= ?::timestamptz and ${column} < ?::timestamptz)`, bindings: bounds };
  });
  return sql`(${join(pieces, 'or', sql`false`)})`;
}

/** That all the conditions are met. */
export function all(conditions: readonly Condition[]): Condition {
  return join(conditions, 'and', sql`true`);
}
