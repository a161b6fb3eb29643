import type { Knex } from 'knex';

/** More about a lead's source, in free text: a trade show, a campaign. It is erased with the person. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`alter table leads add column source_detail text`);
  // Partial, because most leads of an API or a form have none.
  await knex.raw(`
    create index leads_source_detail_idx on leads (source_detail, created_at, id) where source_detail is not null
  `);
  await knex.raw(erasure(`'phone', 'company', 'title', 'external_id', 'lost_reason', 'source_detail'`));
  // Events show every field of a lead.
  await knex.raw(`
    update events set object = (left(object::text, -1) || ',"source_detail":null}')::json
    where type like 'lead.%' and type <> 'lead.deleted' and object -> 'source_detail' is null
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(erasure(`'phone', 'company', 'title', 'external_id', 'lost_reason'`));
  await knex.raw('alter table leads drop column source_detail');
}

/** The function of 013_erasures, which clears these fields. */
function erasure(cleared: string): string {
  return String.raw`
    create or replace function erase_person(fields json, email text) returns json language sql immutable parallel safe
      return (
        select coalesce(json_object_agg(key, case
          when key in ('name', 'text') then to_json('Erased'::text)
          when key = 'email' and value::text <> 'null' then to_json(email)
          when key in (${cleared}) or key like '%\_sha256' then 'null'::json
          when key = 'tags' then '[]'::json
          when key = 'metadata' then '{}'::json
          else value
        end order by n), '{}'::json)
        from json_each(fields) with ordinality as field(key, value, n)
      )`;
}
