import type { Knex } from 'knex';

/** Requests to erase a person, the functions that erase people, and how far the deletion of old data has come. */
export async function up(knex: Knex): Promise<void> {
  await tables(knex);
  await fields(knex);
  await answers(knex);
  await addresses(knex);
}

async function tables(knex: Knex): Promise<void> {
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

    -- How far the deletion of old rows has come, and whether a jump of the clock holds it back. One row.
    create table retention_clock (
      singleton boolean constraint retention_clock_pkey primary key default true
        constraint retention_clock_singleton_check check (singleton),
      -- Rows that had expired by then may be deleted.
      reached timestamptz(3) not null default clock_timestamp(),
      checked_at timestamptz(3) not null default clock_timestamp(),
      -- How long the service has run since it noticed a jump. Null if nothing holds the deletion back. Milliseconds.
      waited bigint
    );
    insert into retention_clock default values;
  `);
}

async function fields(knex: Knex): Promise<void> {
  await knex.raw(String.raw`
    -- Replaces personal data in a field of a lead, contact, user or note. Stable and without a subquery, as to_json() is, so
    -- that PostgreSQL puts its body into the query. A call would cost more than everything else.
    create function erase_field(key text, value json, email text) returns json language sql stable parallel safe
      return case
        when key not in (
          'name', 'text', 'email', 'phone', 'company', 'title', 'external_id', 'lost_reason', 'source_detail', 'author_name',
          'next_step', 'tags', 'other_emails', 'metadata'
        ) and key not like '%\_sha256' then value
        when key in ('name', 'text') then '"Erased"'::json
        when key in ('tags', 'other_emails') then '[]'::json
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

    -- The same in {field: {from, to}}.
    create function erase_changes(changes json, email text) returns table (erased json) language sql stable parallel safe rows 1
    begin atomic
      select coalesce(json_object_agg(key, json_build_object(
        'from', erase_field(key, value -> 'from', email), 'to', erase_field(key, value -> 'to', email)
      ) order by n), '{}'::json)
      from json_each(changes) with ordinality as field(key, value, n);
    end;
  `);
}

/** People in stored answers. */
async function answers(knex: Knex): Promise<void> {
  await knex.raw(String.raw`
    -- Replaces personal data in all fields of a lead, contact, user, note or sales cycle.
    create function erase_person(fields json, email text) returns json language sql immutable parallel safe
      return (select erased from erase_fields(fields, email));

    -- The same in a lead, contact, user, note or sales cycle, if it belongs to one of the people. emails is {id: email after the erasure}.
    create function erase_if_person(shown json, emails jsonb) returns json language sql immutable parallel safe
      return (
        select case when jsonb_exists(emails, id) then erase_person(shown, emails ->> id) else shown end
        from (
          select case when shown ->> 'id' similar to '(note|cycle)\_%' then coalesce(shown ->> 'lead_id', shown ->> 'contact_id')
            else shown ->> 'id' end as id
        ) as owner
      );

    -- The same in each member of an object.
    create function erase_people_within(shown json, emails jsonb) returns json language sql immutable parallel safe
      return (
        select coalesce(json_object_agg(key, erase_if_person(value, emails) order by n), '{}'::json)
        from json_each(shown) with ordinality as member(key, value, n)
      );

    -- PostgreSQL stores the escapes of NUL and of lone surrogates as json, but can't turn them into text, so that its
    -- operators fail. This replaces them by U+FFFD. After an escaped backslash they are not escapes.
    create function readable_json(body json) returns json language sql immutable parallel safe
      return case
        when strpos(body::text, '\u0000') > 0 or strpos(lower(body::text), '\ud') > 0 then regexp_replace(
          body::text, '(\?<!\\)((\?:\\\\)*)\\u(\?:0000|[dD][89a-fA-F][0-9a-fA-F]{2})', '\1\\ufffd', 'g'
        )::json
        else body
      end;

    -- The same in a stored response: in its data, in members of it, or in the items of a batch.
    create function erase_people_answer(body json, emails jsonb) returns json language sql immutable parallel safe
      return (
        select case
          when json_typeof(body -> 'data') = 'array' then json_build_object(
            'data', (
              select coalesce(json_agg(erase_people_within(item, emails) order by n), '[]'::json)
              from json_array_elements(body -> 'data') with ordinality as items(item, n)
            ),
            'meta', body -> 'meta'
          )
          else json_build_object('data', erase_if_person(erase_people_within(body -> 'data', emails), emails))
        end
        from (select readable_json($1) as body) as readable
      );
  `);
}

/** Addresses in what others wrote, and in Idempotency-Keys. */
async function addresses(knex: Knex): Promise<void> {
  await knex.raw(String.raw`
    -- Replaces an address in the texts of somebody else's data. The pattern is a regular expression.
    create function erase_address(shown json, pattern text) returns json language sql immutable parallel safe
      return regexp_replace(shown::text, pattern, 'erased@erased.invalid', 'gi')::json;

    create function erase_address(shown text, pattern text) returns text language sql immutable parallel safe
      return regexp_replace(shown, pattern, 'erased@erased.invalid', 'gi');
    create function erase_address(shown text[], pattern text) returns text[] language sql immutable parallel safe
      return array(select erase_address(each, pattern) from unnest(shown) with ordinality as member(each, n) order by n);

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
  `);
}
