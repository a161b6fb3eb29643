/** Databases of versions before 1.0.0, none of which was published. Goes with the release after 1.0.0. */
import type { Knex } from 'knex';
import * as leadCounters from './migrations/008_lead_counters.ts';

/** Their migrations, which the baseline replaces. */
const unpublished = `
  20261120000100_foundation
  20261120000200_search_functions
  20261120000250_contacts_and_content
  20261120000300_leads
  20261120000400_resource_lists
  20261120000500_events
  20261120000550_event_upkeep
  20261120000600_webhooks
  20261120000700_inbound_hooks
  20261120000800_lead_counters
  20261120000850_lead_parts
  20261120000900_analytics
  20261121000100_content_digest
  20261121000600_failed_deliveries
  20261121000610_expired_events
  20261121000620_inbound_storage
  20261121000700_undivided_days
  20261121000710_lead_milestones
  20261121000720_no_digests
  20261121000730_vacuum_leads
  20261122000100_delivery_queue
  20261122000200_lead_tag_counts
  20261122000300_metadata_filter
  20261122000310_notes
  20261122000900_client_administration
  20261122000910_retry_schedule
  20261122000920_lead_status_cover
  20261122000930_event_days_at_once
  20261122001100_lead_values
  20261122001101_lead_sums
  20261122001200_erase_people
  20261122001300_imports
  20261122001500_beside_1_0_0
  20261125000100_import_failures
  20261125000110_import_storage
  20261125000120_import_erasures
  20261125000200_unprintable_answers
  20261125000210_answer_scopes
  20261125000220_idempotency_usage
  20261125000400_webhook_recovery
  20261125000600_search_words
  20261125000610_event_day_locks
  20261125000800_erase_users_and_digests
`
  .trim()
  .split(/\s+/)
  .map((name) => `${name}.ts`);

/** The last commit that has them. */
const LAST_COMMIT = 'e9c69b8';

/** Replaces the objects that the baseline has in another form. Counts all leads again. */
async function convert(trx: Knex): Promise<void> {
  await trx.raw(`
    drop function erase_person_answer(json, text, text);

    create or replace function seconds_in_status(lead uuid, left_status text, left_at timestamptz) returns integer
      language plpgsql stable as $$
    begin
      -- The condition on to_status is a filter, so that PostgreSQL reads the lead's few changes in their index. With all
      -- three in WHERE, it searched the other index backwards, past every other lead's changes to this status.
      return greatest(0, floor(date_part('epoch', left_at - max(changed_at) filter (where to_status = left_status))))
      from lead_status_changes
      where lead_id = lead and changed_at <= left_at;
    end $$;

    lock table leads in share row exclusive mode;
    drop trigger leads_truncated on leads;
    drop trigger leads_deleted on leads;
    drop trigger leads_updated on leads;
    drop trigger leads_inserted on leads;
    drop trigger leads_tags_deleted on leads;
    drop trigger leads_tags_updated on leads;
    drop trigger leads_tags_inserted on leads;
    drop trigger leads_sums_deleted on leads;
    drop trigger leads_sums_updated on leads;
    drop trigger leads_sums_inserted on leads;
    drop function rebuild_lead_counts(), rebuild_lead_day_counts(), truncate_lead_counts(), clear_lead_counts(),
      clear_lead_day_counts(), fold_lead_counts(integer), fold_lead_day_counts(integer), fold_lead_tag_counts(integer),
      fold_lead_sums(integer), record_lead_counts(), record_lead_tag_counts(), record_lead_sums();
    drop view lead_counts_by_leads, lead_tag_counts_by_leads, lead_sums_by_leads;
    drop function lead_count_keys(timestamptz, uuid), utc_month(timestamptz), utc_day(timestamptz),
      lead_sum_reached(text, timestamptz, timestamptz, timestamptz, timestamptz),
      lead_sum_period(text, timestamptz, date);
    drop table lead_count_changes, lead_counts, lead_tag_count_changes, lead_tag_counts, lead_sum_changes, lead_sums;
  `);
  await trx.raw(`
    alter table events rename to events_by_day;
    create table events (like events_by_day including defaults including constraints)
      with (autovacuum_vacuum_scale_factor = 0.01);
    insert into events
    select id, position, type, occurred_at, request_id, actor_type, actor_id, resource_id,
      -- Events of leads lacked these fields if they were null.
      case when type not like 'lead.%' or type = 'lead.deleted' then object else (
        left(object::text, -1)
        || case when object -> 'value' is null then ',"value":null' else '' end
        || case when object -> 'expected_close_on' is null then ',"expected_close_on":null' else '' end
        || '}'
      )::json end,
      changes
    from events_by_day
    order by position;
    drop table events_by_day;
    alter table events add constraint events_pkey primary key (id);
    create index events_position_idx on events (position);
    create index events_resource_id_idx on events (resource_id, position);
    create trigger events_hold_horizon before insert on events
      for each statement execute function hold_event_horizon();
    drop function delete_expired_events(date, integer), drop_event_days(date), event_days_before(date),
      prepare_event_day(date);
  `);
  await leadCounters.up(trx);
  await trx.raw('select rebuild_lead_counters()');
}

/** If the database has all unpublished migrations: converts it, and records the baseline's migrations as done. */
export async function adopt(db: Knex, baseline: readonly string[]): Promise<void> {
  await db.transaction(async (trx) => {
    const { rows } = await trx.raw("select to_regclass('knex_migrations') is not null as exists");
    if (!rows[0].exists) return;
    const done: string[] = await trx('knex_migrations').orderBy('id').pluck('name');
    const known = done.filter((name) => unpublished.includes(name));
    if (known.length === 0) return;
    if (known.length !== unpublished.length || done.length !== known.length) {
      throw new Error(
        `This database was made by a version before 1.0.0, and has ${known.length} of its ${unpublished.length} ` +
          `migrations. Run npm run migrate with commit ${LAST_COMMIT} first, or use an empty database.`,
      );
    }
    await convert(trx);
    await trx('knex_migrations').delete();
    const migration_time = new Date();
    await trx('knex_migrations').insert(baseline.map((name) => ({ name, batch: 1, migration_time })));
  });
}
