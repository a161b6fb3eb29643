import { type Db, one } from '../db/db.ts';
import { knex, prepare } from '../db/query.ts';

/** Rows are counted up to this number, so that a backlog of millions costs no more. */
const MAX_COUNTED = 10_000;

export interface Backlog {
  /** Due deliveries, including those leased by a worker, up to MAX_COUNTED. */
  due: number;
  /** Seconds since the oldest of them was due. */
  oldest_due: number;
  imports_queued: number;
  imports_running: number;
  bulk_jobs_queued: number;
  bulk_jobs_running: number;
  /** Events that are committed but not in the feed yet, because an older one is not. */
  events_held: number;
  /** Changes of lead counters that are not folded yet, up to MAX_COUNTED. */
  counter_changes: number;
  /** How far the deletion of old rows is behind the database's clock. Seconds. */
  retention_lag: number;
  /** The most WAL that a replication slot keeps on the server. Bytes. */
  slot_retained: number;
}

/**
 * The queue's index has a range for each webhook, and for first and later attempts, ordered by due time. So the
 * oldest delivery is the earliest of the ranges' first entries.
 */
const backlog = prepare<object, Backlog>('read_backlog', () =>
  knex.raw(
    `with range as (select webhooks.id, attempts.made from webhooks cross join (values (0), (1)) as attempts (made))
      select
        (select count(*)::int from (
          select from range cross join lateral (
            select from webhook_deliveries
            where webhook_id = range.id and status = 'pending' and least(attempt_count, 1) = range.made
              and next_attempt_at <= now()
            order by next_attempt_at limit ${MAX_COUNTED}
          ) one limit ${MAX_COUNTED}
        ) due) as due,
        (select coalesce(extract(epoch from now() - min(next_attempt_at)), 0)::float8 from range cross join lateral (
          select next_attempt_at from webhook_deliveries
          where webhook_id = range.id and status = 'pending' and least(attempt_count, 1) = range.made
            and next_attempt_at <= now()
          order by next_attempt_at limit 1
        ) first) as oldest_due,
        jobs.*,
        (select (last_value - event_horizon())::int from event_positions) as events_held,
        (select count(*)::int from (select from lead_counter_changes limit ${MAX_COUNTED}) pending) as counter_changes,
        (select extract(epoch from now() - reached)::float8 from retention_clock) as retention_lag,
        (select coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)), 0)::float8
          from pg_replication_slots) as slot_retained
      from (
        select
          (count(*) filter (where kind = 'import' and status = 'queued'))::int as imports_queued,
          (count(*) filter (where kind = 'import' and status = 'running'))::int as imports_running,
          (count(*) filter (where kind not in ('import', 'replay') and status = 'queued'))::int as bulk_jobs_queued,
          (count(*) filter (where kind not in ('import', 'replay') and status = 'running'))::int as bulk_jobs_running
        from jobs where status in ('queued', 'running')
      ) jobs`,
  ),
);

export function readBacklog(db: Db): Promise<Backlog> {
  return one(db, backlog({}));
}
