import pg from 'pg';

/** Records a thousand leads with more metadata than the API allows, so that a page of their events reaches 4 MiB. */
export async function recordLargeEvents(url: string): Promise<void> {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  await db.query(`
      with lead as (
        select jsonb_build_object(
          'id', 'lead_01m7w4n5e0e3tajy9kep34bze2', 'name', 'Ada', 'email', 'ada@example.com', 'other_emails', '[]'::jsonb, 'phone', null,
          'status', 'new', 'source', 'api', 'source_detail', null, 'company', null, 'tags', '[]'::jsonb, 'assigned_user_id', null,
          'content_id', null, 'contact_id', null, 'external_id', null, 'lost_reason', null,
          'value', null, 'expected_close_on', null, 'next_step', null, 'next_step_at', null, 'sales_cycles_won', 0,
          'sales_cycle', jsonb_build_object('id', 'cycle_01m7w4n5e0f2v8x4c6n1b7m3kz', 'number', 1,
            'opened_at', '2026-11-20T09:30:00.000Z'),
          'first_contacted_at', null, 'first_qualified_at', null, 'first_won_at', null, 'first_lost_at', null,
          'metadata', (select jsonb_object_agg('key' || n, repeat(md5(n::text), 15)) from generate_series(1, 50) n),
          'status_changed_at', '2026-11-20T09:30:00.000Z', 'created_at', '2026-11-20T09:30:00.000Z',
          'updated_at', '2026-11-20T09:30:00.000Z', 'version', 1
        ) as object
      )
      insert into events (type, request_id, actor_type, resource_id, object)
      select 'lead.created', 'request-of-old', 'system', new_uuid(), object from lead, generate_series(1, 1000)`);
  await db.end();
}
