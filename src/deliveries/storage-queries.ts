import type { Db } from '../db/db.ts';
import { knex } from '../db/query.ts';

export interface WaitingLimits {
  /** Waiting deliveries of a webhook that has had no success for an hour. */
  dead: number;
  /** Waiting deliveries of any webhook. */
  any: number;
}

/**
 * The enabled and paused webhooks (UUIDs) with more waiting deliveries than allowed, and whether the limit for dead ones
 * applies.
 */
export async function findOverfull(
  db: Db,
  { dead, any }: WaitingLimits,
): Promise<{ id: string; is_dead: boolean }[]> {
  return db.run(
    knex.raw(
      `select id, is_dead from (
         select id, status = 'enabled' and failing_since is not null
           and (first_failed_at < now() - interval '1 hour') is true as is_dead
         from webhooks where status <> 'disabled'
       ) webhook
       where exists (
         select from webhook_deliveries where webhook_id = webhook.id and status = 'pending'
         offset case when is_dead then ?::int else ?::int end
       )`,
      [dead, any],
    ),
  );
}

/**
 * Deletes up to `limit` finished deliveries of this status, the oldest of each webhook that has more than `kept` of them.
 * Returns the number deleted.
 */
export async function deleteSurplus(
  db: Db,
  status: 'succeeded' | 'failed',
  kept: number,
  limit: number,
): Promise<number> {
  const deleted = await db.run(
    knex.raw(
      `with surplus as (
         select old.id from webhooks cross join lateral (
           select created_at, id from webhook_deliveries
           where webhook_id = webhooks.id and status = '${status}'
           order by created_at desc, id desc offset ?::int limit 1
         ) newest cross join lateral (
           select id from webhook_deliveries
           where webhook_id = webhooks.id and status = '${status}'
             and (created_at, id) <= (newest.created_at, newest.id)
           order by created_at, id limit ?::int for update skip locked
         ) old
         limit ?::int
       )
       delete from webhook_deliveries where id in (select id from surplus) returning id`,
      [kept, limit, limit],
    ),
  );
  return deleted.length;
}
