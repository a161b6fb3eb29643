import type { Knex } from 'knex';

/** Requests to erase a person, and what finding everything about a person needs. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Without the person's data, and without foreign keys: an erasure proves what was done for longer than its webhooks live.
    create table erasures (
      id uuid constraint erasures_pkey primary key,
      created_at timestamptz(3) not null default statement_timestamp(),
      actor_type text not null,
      actor_id uuid,
      actor_user_id uuid,
      request_id text not null,
      counts json not null,
      -- Public ids.
      former text[] not null,
      receivers json not null
    );
    -- GET /erasures.
    create index erasures_created_at_idx on erasures (created_at, id);

    alter table audit_log add column erasure_id uuid;

    -- The address of what was merged: its owner is the person that stayed.
    alter table merges add column email text;
    create index merges_email_idx on merges (lower(email)) where email is not null;

    -- Leads and contacts that had an address before. Few events change an address.
    create index events_former_email_idx on events (lower(changes #>> '{email,from}')) where changes -> 'email' is not null;
  `);
  await knex.raw(String.raw`
    -- Replaces personal data in a field of a lead, contact, user or note. Stable and without a subquery, as to_json() is, so
    -- that PostgreSQL puts its body into the query. A call would cost more than everything else.
    create function erase_field(key text, value json, email text) returns json language sql stable parallel safe
      return case
        when key not in (
          'name', 'text', 'email', 'phone', 'company', 'title', 'external_id', 'lost_reason', 'source_detail', 'author_name',
          'tags', 'metadata'
        ) and key not like '%\_sha256' then value
        when key in ('name', 'text') then '"Erased"'::json
        when key = 'tags' then '[]'::json
        when key = 'metadata' then '{}'::json
        when key = 'email' and value::text <> 'null' then to_json(email)
        else 'null'::json
      end;

    -- The same in all fields. A table function, for the same reason: PostgreSQL calls any other function with a subquery.
    create function erase_fields(fields json, email text) returns table (erased json) language sql stable parallel safe rows 1
    begin atomic
      select coalesce(json_object_agg(key, erase_field(key, value, email) order by n), '{}'::json)
      from json_each(fields) with ordinality as field(key, value, n);
    end;

    -- The same in {field: {from, to}}. erase_person_changes() does it too, for processes of the previous version.
    create function erase_changes(changes json, email text) returns table (erased json) language sql stable parallel safe rows 1
    begin atomic
      select coalesce(json_object_agg(key, json_build_object(
        'from', erase_field(key, value -> 'from', email), 'to', erase_field(key, value -> 'to', email)
      ) order by n), '{}'::json)
      from json_each(changes) with ordinality as field(key, value, n);
    end;

    -- For stored answers.
    create or replace function erase_person(fields json, email text) returns json language sql immutable parallel safe
      return (select erased from erase_fields(fields, email));
  `);
  await knex.raw(`
    -- Replaces an address in the texts of somebody else's data. The pattern is a regular expression.
    create function erase_address(shown json, pattern text) returns json language sql immutable parallel safe
      return regexp_replace(shown::text, pattern, 'erased@erased.invalid', 'gi')::json;

    create function erase_address(shown text, pattern text) returns text language sql immutable parallel safe
      return regexp_replace(shown, pattern, 'erased@erased.invalid', 'gi');
    create function erase_address(shown text[], pattern text) returns text[] language sql immutable parallel safe
      return array(select erase_address(each, pattern) from unnest(shown) with ordinality as member(each, n) order by n);

  `);
  await knex.raw(String.raw`
    -- A text in lower case, with @ and + as they are, also where a URL, HTML or JSON has escaped them.
    create function plain_spelling(shown text) returns text language sql immutable parallel safe
      return regexp_replace(
        regexp_replace(lower(shown), '%(25)*40|&#0*64;|&#x0*40;|&commat;|\\+u0040', '@', 'g'),
        '%(25)*2b|&#0*43;|&#x0*2b;|\\+u002b', '+', 'g'
      );

    -- An Idempotency-Key that a client made from one of the addresses. A repeated request with the old key is a new one.
    create function erase_key(key text, addresses text[]) returns text language sql volatile
      return case
        when key ~ '[@%&\\]'
            and exists (select from unnest(addresses) as address where strpos(plain_spelling(key), address) > 0)
          then 'erased-' || gen_random_uuid()
        else key
      end;
    -- Keys that may have an address.
    create index idempotency_keys_address_idx on idempotency_keys (created_at) where key ~ '[@%&\\]';

    -- Where imports and hooks put all addresses but the first.
    create function other_emails(metadata jsonb) returns text[] language sql immutable parallel safe
      return regexp_split_to_array(lower(metadata ->> 'other_emails'), '[\s,;]+');
    create index leads_other_emails_idx on leads using gin (other_emails(metadata))
      where jsonb_exists(metadata, 'other_emails');
    create index contacts_other_emails_idx on contacts using gin (other_emails(metadata))
      where jsonb_exists(metadata, 'other_emails');
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index contacts_other_emails_idx, leads_other_emails_idx, idempotency_keys_address_idx, events_former_email_idx;
    drop function other_emails(jsonb), erase_key(text, text[]), plain_spelling(text), erase_address(text[], text),
      erase_address(text, text), erase_address(json, text);
    alter table merges drop column email;
    alter table audit_log drop column erasure_id;
    drop table erasures;
  `);
  await knex.raw(String.raw`
    -- As in 015_source_detail.
    create or replace function erase_person(fields json, email text) returns json language sql immutable parallel safe
      return (
        select coalesce(json_object_agg(key, case
          when key in ('name', 'text') then to_json('Erased'::text)
          when key = 'email' and value::text <> 'null' then to_json(email)
          when key in ('phone', 'company', 'title', 'external_id', 'lost_reason', 'source_detail')
            or key like '%\_sha256' then 'null'::json
          when key = 'tags' then '[]'::json
          when key = 'metadata' then '{}'::json
          else value
        end order by n), '{}'::json)
        from json_each(fields) with ordinality as field(key, value, n)
      );
    drop function erase_changes(json, text), erase_fields(json, text), erase_field(text, json, text);
  `);
}
