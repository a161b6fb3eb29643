-- The sandbox of a version before 1.0.0 (commit e9c69b8), by pg_dump 15 --inserts --no-owner.
SET check_function_bodies = false;
CREATE EXTENSION IF NOT EXISTS unaccent WITH SCHEMA public;
CREATE FUNCTION public.clear_lead_counts() RETURNS void
    LANGUAGE plpgsql
    AS $$
    begin
      perform clear_lead_day_counts();
      delete from lead_tag_counts;
      delete from lead_tag_count_changes;
      delete from lead_sums;
      delete from lead_sum_changes;
    end $$;
CREATE FUNCTION public.clear_lead_day_counts() RETURNS void
    LANGUAGE plpgsql
    AS $$
    begin
      perform pg_advisory_xact_lock(7305822402);
      -- Not truncate, which would wait for readers who wait for leads.
      delete from lead_counts;
      delete from lead_count_changes;
    end $$;
CREATE FUNCTION public.delete_expired_events(before date, most integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
    declare
      deleted integer;
      last bigint;
    begin
      with expired as (
        delete from events_default where id in (
          select id from events_default where id < uuid_bound(before::timestamp at time zone 'UTC') order by id limit most
        )
        returning position
      )
      select count(*), max(position) from expired into deleted, last;
      update event_retention set dropped_through = last where dropped_through < last;
      return deleted;
    end $$;
CREATE FUNCTION public.drop_event_days(before date) RETURNS void
    LANGUAGE plpgsql
    SET lock_timeout TO '50ms'
    AS $$
    declare
      partition regclass;
      last bigint;
    begin
      if exists (select from event_days_before(before)) then
        lock table only events in access exclusive mode;
      end if;
      for partition in select event_days_before(before) loop
        execute format('lock table %s in access exclusive mode', partition);
        execute format('select max(position) from %s', partition) into last;
        execute format('drop table %s', partition);
        update event_retention set dropped_through = greatest(dropped_through, last);
      end loop;
    end $$;
CREATE FUNCTION public.erase_person(fields json, email text) RETURNS json
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (SELECT COALESCE(json_object_agg(field.key, CASE WHEN (field.key = ANY (ARRAY['name'::text, 'text'::text])) THEN to_json('Erased'::text) WHEN ((field.key = 'email'::text) AND ((field.value)::text <> 'null'::text)) THEN to_json(erase_person.email) WHEN ((field.key = ANY (ARRAY['phone'::text, 'company'::text, 'title'::text, 'external_id'::text, 'lost_reason'::text])) OR (field.key ~~ '%\_sha256'::text)) THEN 'null'::json WHEN (field.key = 'tags'::text) THEN '[]'::json WHEN (field.key = 'metadata'::text) THEN '{}'::json ELSE field.value END ORDER BY field.n), '{}'::json) AS "coalesce" FROM json_each(erase_person.fields) WITH ORDINALITY field(key, value, n));
CREATE FUNCTION public.erase_if_person(shown json, emails jsonb) RETURNS json
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (SELECT CASE WHEN jsonb_exists(erase_if_person.emails, owner.id) THEN public.erase_person(erase_if_person.shown, (erase_if_person.emails ->> owner.id)) ELSE erase_if_person.shown END AS shown FROM (SELECT CASE WHEN ((erase_if_person.shown ->> 'id'::text) ~~ 'note\_%'::text) THEN COALESCE((erase_if_person.shown ->> 'lead_id'::text), (erase_if_person.shown ->> 'contact_id'::text)) ELSE (erase_if_person.shown ->> 'id'::text) END AS id) owner);
CREATE FUNCTION public.erase_people_within(shown json, emails jsonb) RETURNS json
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (SELECT COALESCE(json_object_agg(member.key, public.erase_if_person(member.value, erase_people_within.emails) ORDER BY member.n), '{}'::json) AS "coalesce" FROM json_each(erase_people_within.shown) WITH ORDINALITY member(key, value, n));
CREATE FUNCTION public.readable_json(body json) RETURNS json
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN ((strpos((body)::text, '\u0000'::text) > 0) OR (strpos(lower((body)::text), '\ud'::text) > 0)) THEN (regexp_replace((body)::text, '(?<!\\)((?:\\\\)*)\\u(?:0000|[dD][89a-fA-F][0-9a-fA-F]{2})'::text, '\1\\ufffd'::text, 'g'::text))::json ELSE body END;
CREATE FUNCTION public.erase_people_answer(body json, emails jsonb) RETURNS json
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (SELECT CASE WHEN (json_typeof((readable.body -> 'data'::text)) = 'array'::text) THEN json_build_object('data', (SELECT COALESCE(json_agg(public.erase_people_within(items.item, erase_people_answer.emails) ORDER BY items.n), '[]'::json) AS "coalesce" FROM json_array_elements((readable.body -> 'data'::text)) WITH ORDINALITY items(item, n)), 'meta', (readable.body -> 'meta'::text)) ELSE json_build_object('data', public.erase_if_person(public.erase_people_within((readable.body -> 'data'::text), erase_people_answer.emails), erase_people_answer.emails)) END AS json_build_object FROM (SELECT public.readable_json(erase_people_answer.body) AS body) readable);
CREATE FUNCTION public.erase_person_answer(body json, id text, email text) RETURNS json
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN public.erase_people_answer(body, jsonb_build_object(id, email));
CREATE FUNCTION public.erase_person_changes(changes json, email text) RETURNS json
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (SELECT COALESCE(json_object_agg(field.key, json_build_object('from', (public.erase_person(json_build_object(field.key, (field.value -> 'from'::text)), erase_person_changes.email) -> field.key), 'to', (public.erase_person(json_build_object(field.key, (field.value -> 'to'::text)), erase_person_changes.email) -> field.key)) ORDER BY field.n), '{}'::json) AS "coalesce" FROM json_each(erase_person_changes.changes) WITH ORDINALITY field(key, value, n));
CREATE FUNCTION public.event_days_before(day date) RETURNS SETOF regclass
    LANGUAGE sql STABLE
    AS $_$
      select oid::regclass from pg_inherits join pg_class on oid = inhrelid
      where inhparent = 'events'::regclass and relname ~ '^events_[0-9]{8}$'
        and to_date(right(relname, 8), 'YYYYMMDD') < day
    $_$;
CREATE FUNCTION public.event_horizon() RETURNS bigint
    LANGUAGE plpgsql
    AS $$
    declare
      horizon bigint := (select last_value from event_positions);
    begin
      return (
        select least(horizon, min(((classid::bigint << 32) | objid::bigint) & ((1::bigint << 48) - 1)))
        from pg_locks
        where locktype = 'advisory' and objsubid = 1 and classid::bigint >> 16 = event_lock_tag()
          and database = (select oid from pg_database where datname = current_database())
      );
    end $$;
CREATE FUNCTION public.event_lock_tag() RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN 17761;
CREATE FUNCTION public.fold_inbound_storage(most integer) RETURNS integer
    LANGUAGE sql
    AS $$
      with folded as (
        delete from inbound_storage_changes where ctid = any (array (
          select ctid from inbound_storage_changes limit most for update skip locked
        ))
        returning bytes
      ), added as (
        update inbound_storage set bytes = inbound_storage.bytes + total
        from (select sum(bytes) as total from folded) as folding where total is not null
      )
      select count(*)::integer from folded
    $$;
CREATE FUNCTION public.fold_lead_counts(most integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
    begin
      return greatest(fold_lead_day_counts(most), fold_lead_tag_counts(most), fold_lead_sums(most));
    end $$;
CREATE FUNCTION public.fold_lead_day_counts(most integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
    declare
      folded tid[];
    begin
      if not pg_try_advisory_xact_lock(7305822402) then return 0; end if;
      folded := array(select ctid from lead_count_changes limit most);
      if folded = '{}' then return 0; end if;
      with taken as (
        delete from lead_count_changes where ctid = any (folded) returning *
      )
      merge into lead_counts as counted
      using (
        select keys.assigned_user_id, keys.span, keys.begins, status, source, sum(change)::integer as change
        from taken, lead_count_keys(taken.begins, taken.assigned_user_id) as keys
        group by 1, 2, 3, 4, 5
        having sum(change) <> 0
      ) as found
      on (counted.assigned_user_id, counted.span, counted.begins, counted.status, counted.source)
        = (found.assigned_user_id, found.span, found.begins, found.status, found.source)
      when matched and counted.total + found.change = 0 then delete
      when matched then update set total = counted.total + found.change
      when not matched then insert values (
        found.assigned_user_id, found.span, found.begins, found.status, found.source, found.change
      );
      return cardinality(folded);
    end $$;
CREATE FUNCTION public.fold_lead_sums(most integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
    declare
      folded tid[];
    begin
      if not pg_try_advisory_xact_lock(7305822402) then return 0; end if;
      folded := array(select ctid from lead_sum_changes limit most);
      if folded = '{}' then return 0; end if;
      with taken as (
        delete from lead_sum_changes where ctid = any (folded) returning *
      )
      merge into lead_sums as counted
      using (
        select status, currency, period, reached, sum(change)::integer as change, sum(amount) as amount
        from taken
        group by 1, 2, 3, 4
        having sum(change) <> 0 or sum(amount) <> 0
      ) as found
      on (counted.status, counted.period, counted.currency, counted.reached)
        = (found.status, found.period, found.currency, found.reached)
      when matched and counted.total + found.change = 0 and counted.amount + found.amount = 0 then delete
      when matched then update set total = counted.total + found.change, amount = counted.amount + found.amount
      when not matched then
        insert values (found.status, found.currency, found.period, found.reached, found.change, found.amount);
      return cardinality(folded);
    end $$;
CREATE FUNCTION public.fold_lead_tag_counts(most integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
    declare
      folded tid[];
    begin
      if not pg_try_advisory_xact_lock(7305822402) then return 0; end if;
      folded := array(select ctid from lead_tag_count_changes limit most);
      if folded = '{}' then return 0; end if;
      with taken as (
        delete from lead_tag_count_changes where ctid = any (folded) returning *
      )
      merge into lead_tag_counts as counted
      using (
        select tag, status, source, sum(change)::integer as change
        from taken
        group by 1, 2, 3
        having sum(change) <> 0
      ) as found
      on (counted.tag, counted.status, counted.source) = (found.tag, found.status, found.source)
      when matched and counted.total + found.change = 0 then delete
      when matched then update set total = counted.total + found.change
      when not matched then insert values (found.tag, found.status, found.source, found.change);
      return cardinality(folded);
    end $$;
CREATE FUNCTION public.forget_inbound_storage() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      delete from inbound_storage_changes;
      update inbound_storage set bytes = 0;
      return null;
    end $$;
CREATE FUNCTION public.hold_event_horizon() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      perform pg_advisory_xact_lock_shared((event_lock_tag() << 48) | last_value) from event_positions;
      return null;
    end $$;
CREATE TABLE public.inbound_storage (
    singleton boolean DEFAULT true NOT NULL,
    bytes bigint NOT NULL,
    CONSTRAINT inbound_storage_singleton_check CHECK (singleton)
);
CREATE TABLE public.inbound_storage_changes (
    bytes bigint NOT NULL
);
CREATE FUNCTION public.inbound_storage_used() RETURNS bigint
    LANGUAGE sql STABLE
    RETURN ((SELECT inbound_storage.bytes FROM public.inbound_storage) + (SELECT (COALESCE(sum(inbound_storage_changes.bytes), (0)::numeric))::bigint AS "coalesce" FROM public.inbound_storage_changes));
CREATE FUNCTION public.utc_month(moment timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (date_trunc('month'::text, (moment AT TIME ZONE 'UTC'::text)) AT TIME ZONE 'UTC'::text);
CREATE FUNCTION public.lead_count_keys(day timestamp with time zone, assignee uuid) RETURNS TABLE(assigned_user_id uuid, span text, begins timestamp with time zone)
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    BEGIN ATOMIC
 SELECT who.id,
     period.span,
     period.begins
    FROM (( VALUES ('ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid), (COALESCE(lead_count_keys.assignee, '00000000-0000-0000-0000-000000000000'::uuid))) who(id)
      CROSS JOIN ( VALUES ('day'::text,lead_count_keys.day), ('month'::text,public.utc_month(lead_count_keys.day))) period(span, begins));
END;
CREATE FUNCTION public.lead_sum_period(status text, status_changed_at timestamp with time zone, expected_close_on date) RETURNS date
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (status = ANY (ARRAY['won'::text, 'lost'::text])) THEN ((status_changed_at AT TIME ZONE 'UTC'::text))::date ELSE COALESCE((date_trunc('month'::text, (expected_close_on)::timestamp without time zone))::date, 'infinity'::date) END;
CREATE FUNCTION public.lead_sum_reached(status text, new_at timestamp with time zone, contacted_at timestamp with time zone, qualified_at timestamp with time zone, won_at timestamp with time zone) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (status <> ALL (ARRAY['won'::text, 'lost'::text])) THEN status WHEN (won_at IS NOT NULL) THEN 'won'::text WHEN (qualified_at IS NOT NULL) THEN 'qualified'::text WHEN (contacted_at IS NOT NULL) THEN 'contacted'::text WHEN (new_at IS NOT NULL) THEN 'new'::text ELSE 'none'::text END;
CREATE FUNCTION public.new_uuid(at timestamp with time zone DEFAULT clock_timestamp()) RETURNS uuid
    LANGUAGE sql PARALLEL SAFE
    RETURN (encode(set_bit(set_bit(OVERLAY(uuid_send(gen_random_uuid()) PLACING SUBSTRING(int8send((floor((EXTRACT(epoch FROM at) * (1000)::numeric)))::bigint) FROM 3) FROM 1 FOR 6), (52)::bigint, 1), (53)::bigint, 1), 'hex'::text))::uuid;
CREATE FUNCTION public.note_inbound_storage() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      insert into inbound_storage_changes values (coalesce(new.payload_bytes, 0) - coalesce(old.payload_bytes, 0));
      return null;
    end $$;
CREATE FUNCTION public.note_milestones() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      if tg_op = 'UPDATE' and new.status <> old.status and new.status_changed_at = old.status_changed_at then
        new.status_changed_at := statement_timestamp();
      end if;
      new.won_at := least(new.won_at, case new.status when 'won' then new.status_changed_at end);
      new.qualified_at := least(new.qualified_at, new.won_at, case new.status when 'qualified' then new.status_changed_at end);
      new.contacted_at := least(new.contacted_at, new.qualified_at, case new.status when 'contacted' then new.status_changed_at end);
      new.new_at := least(new.new_at, new.contacted_at, case new.status when 'new' then new.status_changed_at end);
      new.lost_at := least(new.lost_at, case new.status when 'lost' then new.status_changed_at end);
      return new;
    end $$;
CREATE FUNCTION public.note_seconds() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      new.seconds := seconds_in_status(new.lead_id, new.from_status, new.changed_at);
      return new;
    end $$;
CREATE FUNCTION public.notify_auth_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      perform pg_notify('auth_changed', tg_table_name);
      return null;
    end $$;
CREATE FUNCTION public.prepare_event_day(day date) RETURNS boolean
    LANGUAGE plpgsql
    SET lock_timeout TO '50ms'
    AS $$
    declare
      partition text := 'events_' || to_char(day, 'YYYYMMDD');
    begin
      if to_regclass(partition) is not null then
        return false;
      end if;
      execute format(
        'create table %I partition of events for values from (%L) to (%L)',
        partition, uuid_bound(day::timestamp at time zone 'UTC'), uuid_bound((day + 1)::timestamp at time zone 'UTC')
      );
      return true;
    exception when check_violation or duplicate_table or unique_violation then
      return false;
    end $$;
CREATE FUNCTION public.rebuild_lead_counts() RETURNS void
    LANGUAGE plpgsql
    AS $$
    begin
      -- Clears all counts.
      perform rebuild_lead_day_counts();
      insert into lead_tag_counts select * from lead_tag_counts_by_leads order by 1, 2, 3;
      insert into lead_sums select * from lead_sums_by_leads order by 1, 3, 2, 4;
    end $$;
CREATE FUNCTION public.rebuild_lead_day_counts() RETURNS void
    LANGUAGE plpgsql
    AS $$
    begin
      lock table leads in share row exclusive mode;
      perform clear_lead_counts();
      insert into lead_counts select * from lead_counts_by_leads order by 1, 2, 3, 4, 5;
    end $$;
CREATE FUNCTION public.record_lead_counts() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      if tg_op = 'INSERT' then
        insert into lead_count_changes
        select utc_day(created_at), status, source, assigned_user_id, count(*)
        from new_leads
        group by 1, 2, 3, 4;
      elsif tg_op = 'DELETE' then
        insert into lead_count_changes
        select utc_day(created_at), status, source, assigned_user_id, -count(*)
        from old_leads
        group by 1, 2, 3, 4;
      else
        insert into lead_count_changes
        select utc_day(created_at), status, source, assigned_user_id, sum(change)
        from (
          select created_at, status, source, assigned_user_id, -1 as change from old_leads
          union all
          select created_at, status, source, assigned_user_id, 1 from new_leads
        ) as lead
        group by 1, 2, 3, 4
        having sum(change) <> 0;
      end if;
      return null;
    end $$;
CREATE FUNCTION public.record_lead_sums() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      if tg_op = 'INSERT' then
        if exists (select from new_leads where value_currency is not null or status in ('won', 'lost')) then
          insert into lead_sum_changes
          select status, coalesce(value_currency, 'none'), lead_sum_period(status, status_changed_at, expected_close_on),
            lead_sum_reached(status, new_at, contacted_at, qualified_at, won_at), count(*), coalesce(sum(value_amount), 0)
          from new_leads
          where value_currency is not null or status in ('won', 'lost')
          group by 1, 2, 3, 4;
        end if;
      elsif tg_op = 'DELETE' then
        if exists (select from old_leads where value_currency is not null or status in ('won', 'lost')) then
          insert into lead_sum_changes
          select status, coalesce(value_currency, 'none'), lead_sum_period(status, status_changed_at, expected_close_on),
            lead_sum_reached(status, new_at, contacted_at, qualified_at, won_at), -count(*), -coalesce(sum(value_amount), 0)
          from old_leads
          where value_currency is not null or status in ('won', 'lost')
          group by 1, 2, 3, 4;
        end if;
      elsif exists (
        select from old_leads where value_currency is not null or status in ('won', 'lost')
        union all
        select from new_leads where value_currency is not null or status in ('won', 'lost')
      ) then
        insert into lead_sum_changes
        select status, coalesce(value_currency, 'none'), lead_sum_period(status, status_changed_at, expected_close_on),
          lead_sum_reached(status, new_at, contacted_at, qualified_at, won_at),
          sum(change), sum(change * coalesce(value_amount, 0))
        from (
          select *, -1 as change from old_leads
          union all
          select *, 1 from new_leads
        ) as lead
        where value_currency is not null or status in ('won', 'lost')
        group by 1, 2, 3, 4
        having sum(change) <> 0 or sum(change * coalesce(value_amount, 0)) <> 0;
      end if;
      return null;
    end $$;
CREATE FUNCTION public.record_lead_tag_counts() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      if tg_op = 'INSERT' then
        insert into lead_tag_count_changes
        select tag, status, source, count(*)
        from (select distinct id, unnest(tags) as tag, status, source from new_leads) as lead
        where tag is not null
        group by 1, 2, 3;
      elsif tg_op = 'DELETE' then
        insert into lead_tag_count_changes
        select tag, status, source, -count(*)
        from (select distinct id, unnest(tags) as tag, status, source from old_leads) as lead
        where tag is not null
        group by 1, 2, 3;
      else
        insert into lead_tag_count_changes
        select tag, status, source, sum(change)
        from (
          select distinct tags, unnest(tags) as tag, status, source, change
          from (
            select tags, status, source, sum(change) as change
            from (
              select tags, status, source, -1 as change from old_leads
              union all
              select tags, status, source, 1 from new_leads
            ) as lead
            group by 1, 2, 3
            having sum(change) <> 0
          ) as changed
        ) as lead
        where tag is not null
        group by 1, 2, 3
        having sum(change) <> 0;
      end if;
      return null;
    end $$;
CREATE FUNCTION public.shortened_search_words(input text) RETURNS text[]
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN ARRAY(SELECT "left"(word.word, 500) AS "left" FROM regexp_split_to_table((lower(public.unaccent('public.unaccent'::regdictionary, shortened_search_words.input)) COLLATE "und-x-icu"), '[^[:alnum:]]+'::text) word(word) WHERE (word.word <> ''::text));
CREATE FUNCTION public.search_words(input text) RETURNS text[]
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN (octet_length(input) > 300) THEN public.shortened_search_words(input) ELSE array_remove(regexp_split_to_array((lower(public.unaccent('public.unaccent'::regdictionary, input)) COLLATE "und-x-icu"), '[^[:alnum:]]+'::text), ''::text) END;
CREATE FUNCTION public.search_query(input text) RETURNS tsquery
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (COALESCE((SELECT string_agg((quote_literal(ordered.word) || ':*'::text), ' & '::text) AS string_agg FROM (SELECT word.word, lead(word.word) OVER (ORDER BY (word.word COLLATE "C")) AS next FROM unnest(public.search_words(search_query.input)) word(word)) ordered WHERE ((ordered.next IS NULL) OR (NOT starts_with(ordered.next, ordered.word)))), ''::text))::tsquery;
CREATE FUNCTION public.search_vector(input text) RETURNS tsvector
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN array_to_tsvector(public.search_words(input));
CREATE FUNCTION public.seconds_in_status(lead uuid, left_status text, left_at timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql STABLE
    AS $$
    begin
      return greatest(0, floor(date_part('epoch', left_at - max(changed_at))))
      from lead_status_changes
      where lead_id = lead and to_status = left_status and changed_at <= left_at;
    end $$;
CREATE FUNCTION public.text_sha256(value text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN encode(sha256(convert_to(value, 'UTF8'::name)), 'hex'::text);
CREATE FUNCTION public.truncate_lead_counts() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      perform clear_lead_counts();
      return null;
    end $$;
CREATE FUNCTION public.utc_day(moment timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (date_trunc('day'::text, (moment AT TIME ZONE 'UTC'::text)) AT TIME ZONE 'UTC'::text);
CREATE FUNCTION public.uuid_bound(at timestamp with time zone) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN ((lpad(to_hex((floor((EXTRACT(epoch FROM at) * (1000)::numeric)))::bigint), 12, '0'::text) || '00000000000000000000'::text))::uuid;
CREATE TABLE public.api_clients (
    id uuid NOT NULL,
    name text NOT NULL,
    scopes text[] NOT NULL,
    secret_hash bytea NOT NULL,
    disabled_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    version integer DEFAULT 1 NOT NULL
);
CREATE TABLE public.api_keys (
    id uuid NOT NULL,
    client_id uuid NOT NULL,
    name text NOT NULL,
    scopes text[] NOT NULL,
    key_hash bytea NOT NULL,
    expires_at timestamp(3) with time zone,
    revoked_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    version integer DEFAULT 1 NOT NULL
);
CREATE TABLE public.audit_log (
    id uuid NOT NULL,
    created_at timestamp(3) with time zone DEFAULT statement_timestamp() NOT NULL,
    action text NOT NULL,
    actor_type text NOT NULL,
    actor_id uuid,
    address text,
    request_id text,
    client_id uuid,
    key_id uuid,
    name text,
    scopes text[],
    CONSTRAINT audit_log_actor_type_check CHECK ((actor_type = ANY (ARRAY['client'::text, 'operator'::text, 'system'::text])))
);
CREATE TABLE public.contacts (
    id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."und-x-icu",
    email text,
    phone text,
    company text,
    title text,
    tags text[] DEFAULT '{}'::text[] NOT NULL,
    assigned_user_id uuid,
    external_id text,
    metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    search tsvector GENERATED ALWAYS AS (public.search_vector(((((name || ' '::text) || COALESCE(email, ''::text)) || ' '::text) || COALESCE(company, ''::text)))) STORED NOT NULL
);
CREATE TABLE public.content (
    id uuid NOT NULL,
    title text NOT NULL COLLATE pg_catalog."und-x-icu",
    slug text NOT NULL,
    type text NOT NULL,
    summary text,
    body text,
    url text,
    language text,
    status text DEFAULT 'draft'::text NOT NULL,
    author_user_id uuid,
    tags text[] DEFAULT '{}'::text[] NOT NULL,
    metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    published_at timestamp(3) with time zone,
    archived_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    search tsvector GENERATED ALWAYS AS (public.search_vector(((((title || ' '::text) || slug) || ' '::text) || COALESCE(summary, ''::text)))) STORED NOT NULL,
    body_sha256 text GENERATED ALWAYS AS (public.text_sha256(body)) STORED,
    CONSTRAINT content_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'published'::text, 'archived'::text]))),
    CONSTRAINT content_type_check CHECK ((type = ANY (ARRAY['article'::text, 'landing_page'::text, 'form'::text, 'ebook'::text, 'video'::text, 'webinar'::text, 'email'::text, 'other'::text])))
);
CREATE SEQUENCE public.event_positions
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE public.event_retention (
    singleton boolean DEFAULT true NOT NULL,
    dropped_through bigint NOT NULL,
    CONSTRAINT event_retention_singleton_check CHECK (singleton)
);
CREATE TABLE public.events (
    id uuid DEFAULT public.new_uuid() NOT NULL,
    "position" bigint DEFAULT nextval('public.event_positions'::regclass) NOT NULL,
    type text NOT NULL,
    occurred_at timestamp(3) with time zone DEFAULT statement_timestamp() NOT NULL,
    request_id text NOT NULL,
    actor_type text NOT NULL,
    actor_id uuid,
    resource_id uuid NOT NULL,
    object json NOT NULL,
    changes json DEFAULT '{}'::json NOT NULL,
    CONSTRAINT events_actor_type_check CHECK ((actor_type = ANY (ARRAY['client'::text, 'hook'::text, 'system'::text])))
)
PARTITION BY RANGE (id);
CREATE TABLE public.events_20261125 (
    id uuid DEFAULT public.new_uuid() NOT NULL,
    "position" bigint DEFAULT nextval('public.event_positions'::regclass) NOT NULL,
    type text NOT NULL,
    occurred_at timestamp(3) with time zone DEFAULT statement_timestamp() NOT NULL,
    request_id text NOT NULL,
    actor_type text NOT NULL,
    actor_id uuid,
    resource_id uuid NOT NULL,
    object json NOT NULL,
    changes json DEFAULT '{}'::json NOT NULL,
    CONSTRAINT events_actor_type_check CHECK ((actor_type = ANY (ARRAY['client'::text, 'hook'::text, 'system'::text])))
);
CREATE TABLE public.events_default (
    id uuid DEFAULT public.new_uuid() NOT NULL,
    "position" bigint DEFAULT nextval('public.event_positions'::regclass) NOT NULL,
    type text NOT NULL,
    occurred_at timestamp(3) with time zone DEFAULT statement_timestamp() NOT NULL,
    request_id text NOT NULL,
    actor_type text NOT NULL,
    actor_id uuid,
    resource_id uuid NOT NULL,
    object json NOT NULL,
    changes json DEFAULT '{}'::json NOT NULL,
    CONSTRAINT events_actor_type_check CHECK ((actor_type = ANY (ARRAY['client'::text, 'hook'::text, 'system'::text])))
);
CREATE TABLE public.idempotency_keys (
    client_id uuid NOT NULL,
    key text NOT NULL,
    request_hash bytea NOT NULL,
    status smallint,
    headers json,
    body json,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    people uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    sealed_body bytea,
    scopes text[],
    CONSTRAINT idempotency_keys_body_check CHECK (((body IS NULL) OR (sealed_body IS NULL)))
);
CREATE TABLE public.idempotency_usage (
    client_id uuid NOT NULL,
    hour timestamp(3) with time zone NOT NULL,
    bytes bigint NOT NULL
);
CREATE TABLE public.import_chunks (
    import_id uuid NOT NULL,
    number integer NOT NULL,
    rows text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    client_id uuid
);
CREATE TABLE public.import_erasures (
    hash bigint NOT NULL,
    erased_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE public.import_errors (
    id uuid NOT NULL,
    import_id uuid NOT NULL,
    "row" integer NOT NULL,
    "column" text,
    field text,
    code text NOT NULL,
    message text NOT NULL
);
CREATE TABLE public.import_keys (
    import_id uuid NOT NULL,
    hash bigint NOT NULL
);
CREATE TABLE public.imports (
    id uuid NOT NULL,
    status text NOT NULL,
    resource text NOT NULL,
    format text NOT NULL,
    match text NOT NULL,
    on_duplicate text NOT NULL,
    dry_run boolean NOT NULL,
    columns text[] NOT NULL,
    mapping json NOT NULL,
    defaults json NOT NULL,
    rows_total integer NOT NULL,
    rows_done integer DEFAULT 0 NOT NULL,
    created integer DEFAULT 0 NOT NULL,
    updated integer DEFAULT 0 NOT NULL,
    unchanged integer DEFAULT 0 NOT NULL,
    failed integer DEFAULT 0 NOT NULL,
    errors_kept integer DEFAULT 0 NOT NULL,
    starts integer DEFAULT 1 NOT NULL,
    next_chunk integer DEFAULT 0 NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    actor_type text NOT NULL,
    actor_id uuid,
    request_id text NOT NULL,
    started_at timestamp(3) with time zone,
    finished_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone DEFAULT statement_timestamp() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT statement_timestamp() NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    failure_reason text,
    CONSTRAINT imports_resource_check CHECK ((resource = ANY (ARRAY['leads'::text, 'contacts'::text]))),
    CONSTRAINT imports_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'queued'::text, 'running'::text, 'completed'::text, 'cancelled'::text, 'failed'::text])))
);
CREATE TABLE public.inbound_deliveries (
    id uuid NOT NULL,
    hook_id uuid NOT NULL,
    status text NOT NULL,
    lead_id uuid,
    errors json,
    payload json,
    emails text[] DEFAULT '{}'::text[] NOT NULL,
    dedupe_key bytea,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    payload_bytes integer GENERATED ALWAYS AS (COALESCE((octet_length((payload)::text) + 1024), 0)) STORED NOT NULL,
    CONSTRAINT inbound_deliveries_status_check CHECK ((status = ANY (ARRAY['created'::text, 'merged'::text, 'ignored'::text, 'rejected'::text])))
);
CREATE TABLE public.inbound_hooks (
    id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."und-x-icu",
    token_hash bytea NOT NULL,
    status text DEFAULT 'enabled'::text NOT NULL,
    lead_source text DEFAULT 'website'::text NOT NULL,
    default_tags text[] DEFAULT '{}'::text[] NOT NULL,
    assigned_user_id uuid,
    content_id uuid,
    mapping jsonb NOT NULL,
    verification jsonb NOT NULL,
    encrypted_secret bytea,
    on_duplicate text DEFAULT 'merge'::text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    search tsvector GENERATED ALWAYS AS (public.search_vector(name)) STORED NOT NULL,
    CONSTRAINT inbound_hooks_lead_source_check CHECK ((lead_source = ANY (ARRAY['api'::text, 'website'::text, 'referral'::text, 'manual'::text]))),
    CONSTRAINT inbound_hooks_on_duplicate_check CHECK ((on_duplicate = ANY (ARRAY['merge'::text, 'ignore'::text, 'reject'::text]))),
    CONSTRAINT inbound_hooks_secret_check CHECK ((((verification ->> 'type'::text) = 'none'::text) = (encrypted_secret IS NULL))),
    CONSTRAINT inbound_hooks_status_check CHECK ((status = ANY (ARRAY['enabled'::text, 'paused'::text])))
);
CREATE TABLE public.knex_migrations (
    id integer NOT NULL,
    name character varying(255),
    batch integer,
    migration_time timestamp with time zone
);
CREATE SEQUENCE public.knex_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.knex_migrations_id_seq OWNED BY public.knex_migrations.id;
CREATE TABLE public.knex_migrations_lock (
    index integer NOT NULL,
    is_locked integer
);
CREATE SEQUENCE public.knex_migrations_lock_index_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.knex_migrations_lock_index_seq OWNED BY public.knex_migrations_lock.index;
CREATE TABLE public.lead_count_changes (
    begins timestamp(3) with time zone NOT NULL,
    status text NOT NULL,
    source text NOT NULL,
    assigned_user_id uuid,
    change integer NOT NULL
)
WITH (autovacuum_vacuum_threshold='5000', autovacuum_vacuum_scale_factor='0');
CREATE TABLE public.lead_counts (
    assigned_user_id uuid NOT NULL,
    span text NOT NULL,
    begins timestamp(3) with time zone NOT NULL,
    status text NOT NULL,
    source text NOT NULL,
    total integer NOT NULL,
    CONSTRAINT lead_counts_span_check CHECK ((span = ANY (ARRAY['day'::text, 'month'::text])))
)
PARTITION BY LIST (assigned_user_id);
CREATE TABLE public.lead_counts_by_assignee (
    assigned_user_id uuid NOT NULL,
    span text NOT NULL,
    begins timestamp(3) with time zone NOT NULL,
    status text NOT NULL,
    source text NOT NULL,
    total integer NOT NULL,
    CONSTRAINT lead_counts_span_check CHECK ((span = ANY (ARRAY['day'::text, 'month'::text])))
);
CREATE TABLE public.leads (
    id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."und-x-icu",
    email text NOT NULL,
    phone text,
    status text NOT NULL,
    source text NOT NULL,
    company text,
    tags text[] DEFAULT '{}'::text[] NOT NULL,
    assigned_user_id uuid,
    content_id uuid,
    contact_id uuid,
    external_id text,
    lost_reason text,
    metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    status_changed_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    search tsvector GENERATED ALWAYS AS (public.search_vector(((((name || ' '::text) || email) || ' '::text) || COALESCE(company, ''::text)))) STORED NOT NULL,
    new_at timestamp(3) with time zone,
    contacted_at timestamp(3) with time zone,
    qualified_at timestamp(3) with time zone,
    won_at timestamp(3) with time zone,
    lost_at timestamp(3) with time zone,
    value_amount numeric,
    value_currency text,
    expected_close_on date,
    CONSTRAINT leads_expected_close_on_check CHECK (((expected_close_on >= '0001-01-01'::date) AND (expected_close_on <= '9999-12-31'::date))),
    CONSTRAINT leads_lost_reason_check CHECK (((lost_reason IS NULL) OR (status = 'lost'::text))),
    CONSTRAINT leads_source_check CHECK ((source = ANY (ARRAY['api'::text, 'website'::text, 'referral'::text, 'manual'::text]))),
    CONSTRAINT leads_status_check CHECK ((status = ANY (ARRAY['new'::text, 'contacted'::text, 'qualified'::text, 'won'::text, 'lost'::text]))),
    CONSTRAINT leads_value_amount_check CHECK (((value_amount >= (0)::numeric) AND (value_amount < '1000000000000000'::numeric) AND (scale(value_amount) <= 4))),
    CONSTRAINT leads_value_check CHECK (((value_amount IS NULL) = (value_currency IS NULL))),
    CONSTRAINT leads_value_currency_check CHECK ((value_currency ~ '^[A-Z]{3}$'::text))
)
WITH (autovacuum_vacuum_scale_factor='0.05', autovacuum_vacuum_insert_scale_factor='0.05');
CREATE VIEW public.lead_counts_by_leads AS
 SELECT keys.assigned_user_id,
    keys.span,
    (keys.begins)::timestamp(3) with time zone AS begins,
    found.status,
    found.source,
    (sum(found.total))::integer AS total
   FROM ( SELECT public.utc_day(leads.created_at) AS day,
            leads.status,
            leads.source,
            leads.assigned_user_id,
            count(*) AS total
           FROM public.leads
          GROUP BY (public.utc_day(leads.created_at)), leads.status, leads.source, leads.assigned_user_id) found,
    LATERAL public.lead_count_keys(found.day, found.assigned_user_id) keys(assigned_user_id, span, begins)
  GROUP BY keys.assigned_user_id, keys.span, ((keys.begins)::timestamp(3) with time zone), found.status, found.source;
CREATE TABLE public.lead_counts_of_all (
    assigned_user_id uuid NOT NULL,
    span text NOT NULL,
    begins timestamp(3) with time zone NOT NULL,
    status text NOT NULL,
    source text NOT NULL,
    total integer NOT NULL,
    CONSTRAINT lead_counts_span_check CHECK ((span = ANY (ARRAY['day'::text, 'month'::text])))
);
CREATE TABLE public.lead_status_changes (
    lead_id uuid NOT NULL,
    from_status text,
    to_status text NOT NULL,
    changed_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    actor_id uuid,
    request_id text NOT NULL,
    seconds integer
)
WITH (autovacuum_vacuum_scale_factor='0.05', autovacuum_vacuum_insert_scale_factor='0.05');
CREATE TABLE public.lead_sum_changes (
    status text NOT NULL,
    currency text NOT NULL,
    period date NOT NULL,
    reached text NOT NULL,
    change integer NOT NULL,
    amount numeric NOT NULL
)
WITH (autovacuum_vacuum_threshold='5000', autovacuum_vacuum_scale_factor='0');
CREATE TABLE public.lead_sums (
    status text NOT NULL,
    currency text NOT NULL,
    period date NOT NULL,
    reached text NOT NULL,
    total integer NOT NULL,
    amount numeric NOT NULL
);
CREATE VIEW public.lead_sums_by_leads AS
 SELECT leads.status,
    COALESCE(leads.value_currency, 'none'::text) AS currency,
    public.lead_sum_period(leads.status, leads.status_changed_at, leads.expected_close_on) AS period,
    public.lead_sum_reached(leads.status, leads.new_at, leads.contacted_at, leads.qualified_at, leads.won_at) AS reached,
    (count(*))::integer AS total,
    COALESCE(sum(leads.value_amount), (0)::numeric) AS amount
   FROM public.leads
  WHERE ((leads.value_currency IS NOT NULL) OR (leads.status = ANY (ARRAY['won'::text, 'lost'::text])))
  GROUP BY leads.status, COALESCE(leads.value_currency, 'none'::text), (public.lead_sum_period(leads.status, leads.status_changed_at, leads.expected_close_on)), (public.lead_sum_reached(leads.status, leads.new_at, leads.contacted_at, leads.qualified_at, leads.won_at));
CREATE TABLE public.lead_tag_count_changes (
    tag text NOT NULL,
    status text NOT NULL,
    source text NOT NULL,
    change integer NOT NULL
)
WITH (autovacuum_vacuum_threshold='5000', autovacuum_vacuum_scale_factor='0');
CREATE TABLE public.lead_tag_counts (
    tag text NOT NULL,
    status text NOT NULL,
    source text NOT NULL,
    total integer NOT NULL
);
CREATE VIEW public.lead_tag_counts_by_leads AS
 SELECT lead.tag,
    lead.status,
    lead.source,
    (sum(lead.total))::integer AS total
   FROM ( SELECT DISTINCT found.tags,
            unnest(found.tags) AS tag,
            found.status,
            found.source,
            found.total
           FROM ( SELECT leads.tags,
                    leads.status,
                    leads.source,
                    count(*) AS total
                   FROM public.leads
                  GROUP BY leads.tags, leads.status, leads.source) found) lead
  WHERE (lead.tag IS NOT NULL)
  GROUP BY lead.tag, lead.status, lead.source;
CREATE TABLE public.notes (
    id uuid NOT NULL,
    lead_id uuid,
    contact_id uuid,
    text text NOT NULL,
    pinned boolean DEFAULT false NOT NULL,
    actor_type text NOT NULL,
    actor_id uuid,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    CONSTRAINT notes_actor_type_check CHECK ((actor_type = ANY (ARRAY['client'::text, 'hook'::text, 'system'::text]))),
    CONSTRAINT notes_owner_check CHECK ((num_nonnulls(lead_id, contact_id) = 1))
);
CREATE TABLE public.revoked_tokens (
    jti text NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL
);
CREATE TABLE public.signing_keys (
    id text NOT NULL,
    public_jwk jsonb NOT NULL,
    encrypted_private_jwk bytea NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    retired_at timestamp(3) with time zone
);
CREATE TABLE public.users (
    id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."und-x-icu",
    email text NOT NULL,
    active boolean DEFAULT true NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    search tsvector GENERATED ALWAYS AS (public.search_vector(((name || ' '::text) || email))) STORED NOT NULL
);
CREATE TABLE public.webhook_attempts (
    delivery_id uuid NOT NULL,
    number integer NOT NULL,
    attempted_at timestamp(3) with time zone NOT NULL,
    duration_ms integer NOT NULL,
    status_code integer,
    error text,
    response_body text
);
CREATE TABLE public.webhook_deliveries (
    id uuid DEFAULT public.new_uuid() NOT NULL,
    webhook_id uuid NOT NULL,
    event_id uuid NOT NULL,
    event_type text NOT NULL,
    resource_id uuid NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    attempt_count integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamp(3) with time zone DEFAULT now(),
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    leased_until timestamp(3) with time zone,
    CONSTRAINT webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text])))
);
CREATE TABLE public.webhook_replays (
    webhook_id uuid NOT NULL,
    occurred_from timestamp(3) with time zone NOT NULL,
    occurred_to timestamp(3) with time zone NOT NULL,
    event_types text[] NOT NULL,
    only_failed boolean NOT NULL,
    after_event_id uuid NOT NULL,
    last_position bigint NOT NULL,
    only_undelivered boolean DEFAULT false NOT NULL
);
CREATE TABLE public.webhooks (
    id uuid NOT NULL,
    url text NOT NULL,
    description text,
    event_types text[] NOT NULL,
    status text DEFAULT 'enabled'::text NOT NULL,
    disabled_reason text,
    encrypted_secret bytea NOT NULL,
    encrypted_previous_secret bytea,
    previous_secret_expires_at timestamp(3) with time zone,
    last_success_at timestamp(3) with time zone,
    failing_since timestamp(3) with time zone,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    retry_schedule text DEFAULT 'standard'::text NOT NULL,
    last_failing_since timestamp(3) with time zone,
    first_failed_at timestamp(3) with time zone,
    CONSTRAINT webhooks_disabled_reason_check CHECK (((disabled_reason IS NOT NULL) = (status = 'disabled'::text))),
    CONSTRAINT webhooks_previous_secret_check CHECK (((encrypted_previous_secret IS NULL) = (previous_secret_expires_at IS NULL))),
    CONSTRAINT webhooks_retry_schedule_check CHECK ((retry_schedule = ANY (ARRAY['standard'::text, 'fast'::text]))),
    CONSTRAINT webhooks_status_check CHECK ((status = ANY (ARRAY['enabled'::text, 'paused'::text, 'disabled'::text])))
);
ALTER TABLE ONLY public.events ATTACH PARTITION public.events_20261125 FOR VALUES FROM ('01a21000-8800-0000-0000-000000000000') TO ('01a21526-e400-0000-0000-000000000000');
ALTER TABLE ONLY public.events ATTACH PARTITION public.events_default DEFAULT;
ALTER TABLE ONLY public.lead_counts ATTACH PARTITION public.lead_counts_by_assignee DEFAULT;
ALTER TABLE ONLY public.lead_counts ATTACH PARTITION public.lead_counts_of_all FOR VALUES IN ('ffffffff-ffff-ffff-ffff-ffffffffffff');
ALTER TABLE ONLY public.knex_migrations ALTER COLUMN id SET DEFAULT nextval('public.knex_migrations_id_seq'::regclass);
ALTER TABLE ONLY public.knex_migrations_lock ALTER COLUMN index SET DEFAULT nextval('public.knex_migrations_lock_index_seq'::regclass);
INSERT INTO public.api_clients VALUES ('01a2110a-1c85-7388-9554-e889ec5be2f2', 'Fixture', '{read,write,admin}', '\x049ee7359861a0a0b4b778c1e32d4d8bd7cddc5fae56e29d5990a25038720855', NULL, '2026-11-25 04:50:05.064+00', '2026-11-25 04:50:05.064+00', 1);
INSERT INTO public.audit_log VALUES ('01a2110a-1c88-7253-bd98-89de370e6788', '2026-11-25 04:50:05.066+00', 'client.created', 'operator', NULL, NULL, NULL, '01a2110a-1c85-7388-9554-e889ec5be2f2', NULL, 'Fixture', '{read,write,admin}');
INSERT INTO public.contacts VALUES ('01a2110a-9dcb-73db-97df-0d146c29c202', 'Grace Hopper', 'grace@example.com', NULL, NULL, NULL, '{navy}', '01a2110a-9bcf-738e-b1c7-e46926c5bf3d', NULL, '{}', '2026-11-25 04:50:38.134+00', '2026-11-25 04:50:38.134+00', 1, DEFAULT);
INSERT INTO public.contacts VALUES ('01a2110a-9ea4-71c9-af9a-91ef70073f2b', 'Mary Somerville', 'mary@example.com', NULL, NULL, NULL, '{}', NULL, NULL, '{}', '2026-11-25 04:50:38.358+00', '2026-11-25 04:50:38.358+00', 1, DEFAULT);
INSERT INTO public.content VALUES ('01a2110a-9c80-756e-9ce4-48100100f267', 'Guide', 'guide', 'article', NULL, 'Text', NULL, NULL, 'published', NULL, '{}', '{}', '2026-11-25 04:50:37.872+00', NULL, '2026-11-25 04:50:37.807+00', '2026-11-25 04:50:37.872+00', 2, DEFAULT, DEFAULT);
INSERT INTO public.event_retention VALUES (true, 1);
INSERT INTO public.events_20261125 VALUES ('01a2110a-9c1b-7988-ab8f-7a7459213b27', 2, 'user.created', '2026-11-25 04:50:37.723+00', '5118abfa-a3ff-41a6-90e9-6641442d596d', 'client', '01a2110a-1c85-7388-9554-e889ec5be2f2', '01a2110a-9bcf-738e-b1c7-e46926c5bf3d', '{"id":"user_01m88gn6yfee7b3hz4d4kcbfsx","name":"Ada Lovelace","email":"ada@example.com","active":true,"created_at":"2026-11-25T04:50:37.646Z","updated_at":"2026-11-25T04:50:37.646Z","version":1}', '{}');
INSERT INTO public.events_20261125 VALUES ('01a2110a-9c98-7f36-aff8-183fd44cd6de', 3, 'content.created', '2026-11-25 04:50:37.848+00', 'ce5f86d2-6724-4ca2-8a53-c782b5096249', 'client', '01a2110a-1c85-7388-9554-e889ec5be2f2', '01a2110a-9c80-756e-9ce4-48100100f267', '{"id":"content_01m88gn740enq9ss28200g1wk7","title":"Guide","slug":"guide","type":"article","summary":null,"body_sha256":"71988c4d8e0803ba4519f0b2864c1331c14a1890bf8694e251379177bfedb5c3","url":null,"language":null,"status":"draft","author_user_id":null,"tags":[],"metadata":{},"published_at":null,"archived_at":null,"created_at":"2026-11-25T04:50:37.807Z","updated_at":"2026-11-25T04:50:37.807Z","version":1}', '{}');
INSERT INTO public.events_20261125 VALUES ('01a2110a-9cbb-7366-95c4-c1d7edbe202e', 4, 'content.updated', '2026-11-25 04:50:37.884+00', '5d7fd703-7bb7-4c08-927c-fd366cb4a8a4', 'client', '01a2110a-1c85-7388-9554-e889ec5be2f2', '01a2110a-9c80-756e-9ce4-48100100f267', '{"id":"content_01m88gn740enq9ss28200g1wk7","title":"Guide","slug":"guide","type":"article","summary":null,"body_sha256":"71988c4d8e0803ba4519f0b2864c1331c14a1890bf8694e251379177bfedb5c3","url":null,"language":null,"status":"published","author_user_id":null,"tags":[],"metadata":{},"published_at":"2026-11-25T04:50:37.872Z","archived_at":null,"created_at":"2026-11-25T04:50:37.807Z","updated_at":"2026-11-25T04:50:37.872Z","version":2}', '{"status":{"from":"draft","to":"published"},"published_at":{"from":null,"to":"2026-11-25T04:50:37.872Z"}}');
INSERT INTO public.events_20261125 VALUES ('01a2110a-9cbb-751f-8f88-b30ebe6c721e', 5, 'content.published', '2026-11-25 04:50:37.884+00', '5d7fd703-7bb7-4c08-927c-fd366cb4a8a4', 'client', '01a2110a-1c85-7388-9554-e889ec5be2f2', '01a2110a-9c80-756e-9ce4-48100100f267', '{"id":"content_01m88gn740enq9ss28200g1wk7","title":"Guide","slug":"guide","type":"article","summary":null,"body_sha256":"71988c4d8e0803ba4519f0b2864c1331c14a1890bf8694e251379177bfedb5c3","url":null,"language":null,"status":"published","author_user_id":null,"tags":[],"metadata":{},"published_at":"2026-11-25T04:50:37.872Z","archived_at":null,"created_at":"2026-11-25T04:50:37.807Z","updated_at":"2026-11-25T04:50:37.872Z","version":2}', '{"status":{"from":"draft","to":"published"},"published_at":{"from":null,"to":"2026-11-25T04:50:37.872Z"}}');
INSERT INTO public.events_20261125 VALUES ('01a2110a-9d37-7ec3-aaeb-cbada32eebee', 6, 'lead.created', '2026-11-25 04:50:38.008+00', 'd8024d86-7ab6-45fb-968f-045726e8889b', 'client', '01a2110a-1c85-7388-9554-e889ec5be2f2', '01a2110a-9d07-71cf-b712-be9eaee337b7', '{"id":"lead_01m88gn787e77ve4nyktqe6dxq","name":"Grace Hopper","email":"grace@example.com","phone":null,"company":null,"tags":["navy"],"assigned_user_id":"user_01m88gn6yfee7b3hz4d4kcbfsx","external_id":null,"metadata":{},"status":"new","source":"api","content_id":"content_01m88gn740enq9ss28200g1wk7","contact_id":null,"lost_reason":null,"value":{"amount":"1200.50","currency":"EUR"},"status_changed_at":"2026-11-25T04:50:37.949Z","first_contacted_at":null,"first_qualified_at":null,"first_won_at":null,"first_lost_at":null,"created_at":"2026-11-25T04:50:37.949Z","updated_at":"2026-11-25T04:50:37.949Z","version":1}', '{}');
INSERT INTO public.events_20261125 VALUES ('01a2110a-9d8f-7032-9c6c-50905429714d', 7, 'lead.updated', '2026-11-25 04:50:38.095+00', 'dde8a2d8-8291-483a-b0db-ca4a6efd2d8d', 'client', '01a2110a-1c85-7388-9554-e889ec5be2f2', '01a2110a-9d07-71cf-b712-be9eaee337b7', '{"id":"lead_01m88gn787e77ve4nyktqe6dxq","name":"Grace Hopper","email":"grace@example.com","phone":null,"company":null,"tags":["navy"],"assigned_user_id":"user_01m88gn6yfee7b3hz4d4kcbfsx","external_id":null,"metadata":{},"status":"qualified","source":"api","content_id":"content_01m88gn740enq9ss28200g1wk7","contact_id":null,"lost_reason":null,"value":{"amount":"1200.50","currency":"EUR"},"expected_close_on":"2027-01-31","status_changed_at":"2026-11-25T04:50:38.035Z","first_contacted_at":"2026-11-25T04:50:38.035Z","first_qualified_at":"2026-11-25T04:50:38.035Z","first_won_at":null,"first_lost_at":null,"created_at":"2026-11-25T04:50:37.949Z","updated_at":"2026-11-25T04:50:38.035Z","version":2}', '{"status":{"from":"new","to":"qualified"},"expected_close_on":{"from":null,"to":"2027-01-31"},"status_changed_at":{"from":"2026-11-25T04:50:37.949Z","to":"2026-11-25T04:50:38.035Z"},"first_contacted_at":{"from":null,"to":"2026-11-25T04:50:38.035Z"},"first_qualified_at":{"from":null,"to":"2026-11-25T04:50:38.035Z"}}');
INSERT INTO public.events_20261125 VALUES ('01a2110a-9d8f-7fc0-b46f-7ea70c7ca77f', 8, 'lead.status_changed', '2026-11-25 04:50:38.095+00', 'dde8a2d8-8291-483a-b0db-ca4a6efd2d8d', 'client', '01a2110a-1c85-7388-9554-e889ec5be2f2', '01a2110a-9d07-71cf-b712-be9eaee337b7', '{"id":"lead_01m88gn787e77ve4nyktqe6dxq","name":"Grace Hopper","email":"grace@example.com","phone":null,"company":null,"tags":["navy"],"assigned_user_id":"user_01m88gn6yfee7b3hz4d4kcbfsx","external_id":null,"metadata":{},"status":"qualified","source":"api","content_id":"content_01m88gn740enq9ss28200g1wk7","contact_id":null,"lost_reason":null,"value":{"amount":"1200.50","currency":"EUR"},"expected_close_on":"2027-01-31","status_changed_at":"2026-11-25T04:50:38.035Z","first_contacted_at":"2026-11-25T04:50:38.035Z","first_qualified_at":"2026-11-25T04:50:38.035Z","first_won_at":null,"first_lost_at":null,"created_at":"2026-11-25T04:50:37.949Z","updated_at":"2026-11-25T04:50:38.035Z","version":2}', '{"status":{"from":"new","to":"qualified"},"status_changed_at":{"from":"2026-11-25T04:50:37.949Z","to":"2026-11-25T04:50:38.035Z"},"first_contacted_at":{"from":null,"to":"2026-11-25T04:50:38.035Z"},"first_qualified_at":{"from":null,"to":"2026-11-25T04:50:38.035Z"}}');
INSERT INTO public.events_20261125 VALUES ('01a2110a-9dd9-729c-b0d0-2c2be3274a95', 9, 'contact.created', '2026-11-25 04:50:38.17+00', 'e5e55400-4cf1-4798-b37f-fd051b04883a', 'client', '01a2110a-1c85-7388-9554-e889ec5be2f2', '01a2110a-9dcb-73db-97df-0d146c29c202', '{"id":"contact_01m88gn7ebefdsfqrd2hp2kgg2","name":"Grace Hopper","email":"grace@example.com","phone":null,"company":null,"tags":["navy"],"assigned_user_id":"user_01m88gn6yfee7b3hz4d4kcbfsx","external_id":null,"metadata":{},"title":null,"created_at":"2026-11-25T04:50:38.134Z","updated_at":"2026-11-25T04:50:38.134Z","version":1}', '{}');
INSERT INTO public.events_20261125 VALUES ('01a2110a-9df9-7b94-814d-3073311bad4e', 10, 'lead.updated', '2026-11-25 04:50:38.201+00', 'e5e55400-4cf1-4798-b37f-fd051b04883a', 'client', '01a2110a-1c85-7388-9554-e889ec5be2f2', '01a2110a-9d07-71cf-b712-be9eaee337b7', '{"id":"lead_01m88gn787e77ve4nyktqe6dxq","name":"Grace Hopper","email":"grace@example.com","phone":null,"company":null,"tags":["navy"],"assigned_user_id":"user_01m88gn6yfee7b3hz4d4kcbfsx","external_id":null,"metadata":{},"status":"won","source":"api","content_id":"content_01m88gn740enq9ss28200g1wk7","contact_id":"contact_01m88gn7ebefdsfqrd2hp2kgg2","lost_reason":null,"value":{"amount":"1200.50","currency":"EUR"},"expected_close_on":"2027-01-31","status_changed_at":"2026-11-25T04:50:38.170Z","first_contacted_at":"2026-11-25T04:50:38.035Z","first_qualified_at":"2026-11-25T04:50:38.035Z","first_won_at":"2026-11-25T04:50:38.170Z","first_lost_at":null,"created_at":"2026-11-25T04:50:37.949Z","updated_at":"2026-11-25T04:50:38.170Z","version":3}', '{"status":{"from":"qualified","to":"won"},"contact_id":{"from":null,"to":"contact_01m88gn7ebefdsfqrd2hp2kgg2"},"status_changed_at":{"from":"2026-11-25T04:50:38.035Z","to":"2026-11-25T04:50:38.170Z"},"first_won_at":{"from":null,"to":"2026-11-25T04:50:38.170Z"}}');
INSERT INTO public.events_20261125 VALUES ('01a2110a-9f65-771b-a51a-6098f88fce17', 18, 'lead.created', '2026-11-25 04:50:38.566+00', '8c9341c0-b9fe-4215-bca9-2aed7d79c215', 'hook', '01a2110a-9f02-747c-a4cd-dce7e29bfccf', '01a2110a-9f58-72dc-9ea2-84ac5815b1eb', '{"id":"lead_01m88gn7trebe9x8m4nhc1bcfb","name":"Hedy Lamarr","email":"hedy@example.com","phone":null,"company":null,"tags":[],"assigned_user_id":null,"external_id":null,"metadata":{},"status":"new","source":"website","content_id":null,"contact_id":null,"lost_reason":null,"status_changed_at":"2026-11-25T04:50:38.526Z","first_contacted_at":null,"first_qualified_at":null,"first_won_at":null,"first_lost_at":null,"created_at":"2026-11-25T04:50:38.526Z","updated_at":"2026-11-25T04:50:38.526Z","version":1}', '{}');
INSERT INTO public.events_20261125 VALUES ('01a2110a-9df9-797e-826e-072946dfa340', 11, 'lead.status_changed', '2026-11-25 04:50:38.201+00', 'e5e55400-4cf1-4798-b37f-fd051b04883a', 'client', '01a2110a-1c85-7388-9554-e889ec5be2f2', '01a2110a-9d07-71cf-b712-be9eaee337b7', '{"id":"lead_01m88gn787e77ve4nyktqe6dxq","name":"Grace Hopper","email":"grace@example.com","phone":null,"company":null,"tags":["navy"],"assigned_user_id":"user_01m88gn6yfee7b3hz4d4kcbfsx","external_id":null,"metadata":{},"status":"won","source":"api","content_id":"content_01m88gn740enq9ss28200g1wk7","contact_id":"contact_01m88gn7ebefdsfqrd2hp2kgg2","lost_reason":null,"value":{"amount":"1200.50","currency":"EUR"},"expected_close_on":"2027-01-31","status_changed_at":"2026-11-25T04:50:38.170Z","first_contacted_at":"2026-11-25T04:50:38.035Z","first_qualified_at":"2026-11-25T04:50:38.035Z","first_won_at":"2026-11-25T04:50:38.170Z","first_lost_at":null,"created_at":"2026-11-25T04:50:37.949Z","updated_at":"2026-11-25T04:50:38.170Z","version":3}', '{"status":{"from":"qualified","to":"won"},"status_changed_at":{"from":"2026-11-25T04:50:38.035Z","to":"2026-11-25T04:50:38.170Z"},"first_won_at":{"from":null,"to":"2026-11-25T04:50:38.170Z"}}');
INSERT INTO public.events_20261125 VALUES ('01a2110a-9df9-78d2-9766-138fdbaebd92', 12, 'lead.converted', '2026-11-25 04:50:38.201+00', 'e5e55400-4cf1-4798-b37f-fd051b04883a', 'client', '01a2110a-1c85-7388-9554-e889ec5be2f2', '01a2110a-9d07-71cf-b712-be9eaee337b7', '{"id":"lead_01m88gn787e77ve4nyktqe6dxq","name":"Grace Hopper","email":"grace@example.com","phone":null,"company":null,"tags":["navy"],"assigned_user_id":"user_01m88gn6yfee7b3hz4d4kcbfsx","external_id":null,"metadata":{},"status":"won","source":"api","content_id":"content_01m88gn740enq9ss28200g1wk7","contact_id":"contact_01m88gn7ebefdsfqrd2hp2kgg2","lost_reason":null,"value":{"amount":"1200.50","currency":"EUR"},"expected_close_on":"2027-01-31","status_changed_at":"2026-11-25T04:50:38.170Z","first_contacted_at":"2026-11-25T04:50:38.035Z","first_qualified_at":"2026-11-25T04:50:38.035Z","first_won_at":"2026-11-25T04:50:38.170Z","first_lost_at":null,"created_at":"2026-11-25T04:50:37.949Z","updated_at":"2026-11-25T04:50:38.170Z","version":3}', '{"contact_id":{"from":null,"to":"contact_01m88gn7ebefdsfqrd2hp2kgg2"}}');
INSERT INTO public.events_20261125 VALUES ('01a2110a-9e10-7b3c-9e7d-d217dc201f66', 13, 'lead.created', '2026-11-25 04:50:38.225+00', '5609fbaa-f564-40a4-8e21-211fcaa09db0', 'client', '01a2110a-1c85-7388-9554-e889ec5be2f2', '01a2110a-9e0e-71ce-a9bb-a1189486744b', '{"id":"lead_01m88gn7gee77akex132a8cx2b","name":"Joan Clarke","email":"joan@example.com","phone":null,"company":null,"tags":["navy","code"],"assigned_user_id":null,"external_id":null,"metadata":{},"status":"new","source":"api","content_id":null,"contact_id":null,"lost_reason":null,"status_changed_at":"2026-11-25T04:50:38.222Z","first_contacted_at":null,"first_qualified_at":null,"first_won_at":null,"first_lost_at":null,"created_at":"2026-11-25T04:50:38.222Z","updated_at":"2026-11-25T04:50:38.222Z","version":1}', '{}');
INSERT INTO public.events_20261125 VALUES ('01a2110a-9e1f-73c8-a9f0-bdd7e1874f27', 14, 'note.created', '2026-11-25 04:50:38.239+00', '38c51925-90a9-4553-b288-557a0cc6e2ea', 'client', '01a2110a-1c85-7388-9554-e889ec5be2f2', '01a2110a-9e0e-71ce-a9bb-a1189486744b', '{"id":"note_01m88gn7gseqvahb3a5qmczr0y","lead_id":"lead_01m88gn7gee77akex132a8cx2b","contact_id":null,"text":"Called.","pinned":false,"author":{"type":"client","id":"client_01m88gm745ee49an78h7p5qrqj"},"created_at":"2026-11-25T04:50:38.232Z","updated_at":"2026-11-25T04:50:38.232Z","version":1}', '{}');
INSERT INTO public.events_20261125 VALUES ('01a2110a-9e31-774f-a8c4-84927458347f', 15, 'lead.created', '2026-11-25 04:50:38.258+00', 'eb453b19-a44f-43d7-b764-445934a37bfb', 'client', '01a2110a-1c85-7388-9554-e889ec5be2f2', '01a2110a-9e2f-772f-8dcd-14772fd5da5e', '{ "id" : "lead_01m88gn7hfewqrvk8mewqxbpjy", "name" : "Erased", "email" : "lead_01m88gn7hfewqrvk8mewqxbpjy@erased.invalid", "phone" : null, "company" : null, "tags" : [], "assigned_user_id" : null, "external_id" : null, "metadata" : {}, "status" : "new", "source" : "api", "content_id" : null, "contact_id" : null, "lost_reason" : null, "status_changed_at" : "2026-11-25T04:50:38.255Z", "first_contacted_at" : null, "first_qualified_at" : null, "first_won_at" : null, "first_lost_at" : null, "created_at" : "2026-11-25T04:50:38.255Z", "updated_at" : "2026-11-25T04:50:38.255Z", "version" : 1 }', '{}');
INSERT INTO public.events_20261125 VALUES ('01a2110a-9e3f-72b6-b788-79332b30f652', 16, 'lead.deleted', '2026-11-25 04:50:38.271+00', '95df4a6d-00d0-491c-9447-be1104d68be1', 'client', '01a2110a-1c85-7388-9554-e889ec5be2f2', '01a2110a-9e2f-772f-8dcd-14772fd5da5e', '{ "id" : "lead_01m88gn7hfewqrvk8mewqxbpjy" }', '{}');
INSERT INTO public.events_20261125 VALUES ('01a2110a-9eae-7095-8e7d-ace4251cf4c6', 17, 'contact.created', '2026-11-25 04:50:38.383+00', '75ee8d54-63f3-4ad3-9666-658d06a2cf01', 'client', '01a2110a-1c85-7388-9554-e889ec5be2f2', '01a2110a-9ea4-71c9-af9a-91ef70073f2b', '{"id":"contact_01m88gn7n4e74tz6mhxxr0efsb","name":"Mary Somerville","email":"mary@example.com","phone":null,"company":null,"tags":[],"assigned_user_id":null,"external_id":null,"metadata":{},"title":null,"created_at":"2026-11-25T04:50:38.358Z","updated_at":"2026-11-25T04:50:38.358Z","version":1}', '{}');
INSERT INTO public.events_20261125 VALUES ('01a2110a-a019-7c08-9f93-f3d05ea2ffec', 19, 'lead.created', '2026-11-25 04:50:38.745+00', '186dbc83-7fb3-4cc1-a651-3e0d278fc36b', 'client', '01a2110a-1c85-7388-9554-e889ec5be2f2', '01a2110a-9ff7-743f-b9c4-5285739a46a8', '{"id":"lead_01m88gn7zqegzvkh2jgnssmhn8","name":"Karen","email":"karen@example.com","phone":null,"company":null,"tags":[],"assigned_user_id":null,"external_id":null,"metadata":{},"status":"new","source":"api","content_id":null,"contact_id":null,"lost_reason":null,"status_changed_at":"2026-11-25T04:50:38.644Z","first_contacted_at":null,"first_qualified_at":null,"first_won_at":null,"first_lost_at":null,"created_at":"2026-11-25T04:50:38.644Z","updated_at":"2026-11-25T04:50:38.644Z","version":1}', '{}');
INSERT INTO public.idempotency_keys VALUES ('01a2110a-1c85-7388-9554-e889ec5be2f2', 'key-1', '\x8ec06f8c2aff48b17ea75f025f57a3de7b76bd52eda20adda5928daef93af2dd', 201, '{"Location":"http://127.0.0.1:5599/sandbox/v1/users/user_01m88gn6yfee7b3hz4d4kcbfsx","ETag":"\"1\""}', '{"data":{"id":"user_01m88gn6yfee7b3hz4d4kcbfsx","name":"Ada Lovelace","email":"ada@example.com","active":true,"created_at":"2026-11-25T04:50:37.646Z","updated_at":"2026-11-25T04:50:37.646Z","version":1}}', '2026-11-25 04:50:37.646+00', '{01a2110a-9bcf-738e-b1c7-e46926c5bf3d}', NULL, '{}');
INSERT INTO public.idempotency_keys VALUES ('01a2110a-1c85-7388-9554-e889ec5be2f2', 'key-2', '\x1ec58b999d192d3c79f8a1299336e16baf10a563f53bc73481c2ef77563bbda4', 201, '{"Location":"http://127.0.0.1:5599/sandbox/v1/content/content_01m88gn740enq9ss28200g1wk7","ETag":"\"1\""}', '{"data":{"id":"content_01m88gn740enq9ss28200g1wk7","title":"Guide","slug":"guide","type":"article","summary":null,"body_sha256":"71988c4d8e0803ba4519f0b2864c1331c14a1890bf8694e251379177bfedb5c3","url":null,"language":null,"status":"draft","author_user_id":null,"tags":[],"metadata":{},"published_at":null,"archived_at":null,"created_at":"2026-11-25T04:50:37.807Z","updated_at":"2026-11-25T04:50:37.807Z","version":1,"body":"Text"}}', '2026-11-25 04:50:37.807+00', '{}', NULL, '{}');
INSERT INTO public.idempotency_keys VALUES ('01a2110a-1c85-7388-9554-e889ec5be2f2', 'key-3', '\xb2d98e16b27d31b5182e67fa345614d51d3cda759faf136f1456a65e6db5fb0e', 200, '{"ETag":"\"2\""}', '{"data":{"id":"content_01m88gn740enq9ss28200g1wk7","title":"Guide","slug":"guide","type":"article","summary":null,"body_sha256":"71988c4d8e0803ba4519f0b2864c1331c14a1890bf8694e251379177bfedb5c3","url":null,"language":null,"status":"published","author_user_id":null,"tags":[],"metadata":{},"published_at":"2026-11-25T04:50:37.872Z","archived_at":null,"created_at":"2026-11-25T04:50:37.807Z","updated_at":"2026-11-25T04:50:37.872Z","version":2,"body":"Text"}}', '2026-11-25 04:50:37.864+00', '{}', NULL, '{}');
INSERT INTO public.idempotency_keys VALUES ('01a2110a-1c85-7388-9554-e889ec5be2f2', 'key-4', '\x8f6914d53b1b85b206f4c8c93af821c5488b6ef4835222abfe071da36e105c6e', 201, '{"Location":"http://127.0.0.1:5599/sandbox/v1/webhooks/webhook_01m88gn76ve0rtpcde7c5k5v4q","ETag":"\"1\"","Cache-Control":"no-store"}', NULL, '2026-11-25 04:50:37.904+00', '{}', '\x695b865bbb58e07a9e193e2bed3f93f90a302e86a31757f594311269eda1f0f3b8adf23e41fc6a20d0a74676f138c876a6079fc6459b897d146c47575b21d36badb59717e691a1538ff0ff187f97fc25e2450ae1da7efc866af7efa1643417b9939e6f3f23c643b8c24c297b2a6db6b079c2ddb4561cf743e93d420aec2d3f3fb1f0867b2bfe679e7b8242eb87240b91e89c575eca3f1ab051cbf9a28e6cb6bb5ba5a12cbcefaf6e1c0eae30299963fcccfec1d2328842219c6645825caa9930b0366c3156457d8f84b90dd1998525f6475218d73b3da6ad7f43529fc6c83d5a54f17639f54658d7847cd9b786e0019ff6c5554346b4ca2ad5273bfd168261bc478b81e789c63a5962d1a0e793e4a0e71e975845da2d8134f76af5d237d9a308cb0ebb1f978f40ee0d77204191bc60912bf0fef0b22ce625f086cae21281f8495043184356aacde9e771bf8047d35c2e27d8f0f12fd0fc9a20db6f290e59a4a98db445b7ff4a6e5d0cb3940a3fc5179e1f6fab1d205aebd187f993628af8baa32acd9567fb6590397620b5299b57d6c5d67c9b0b575a91bffa298af2f2775c14ee421cb1bc40cab16448678857f42b37b15ee2463678fe122aeb43df3b90e698ac4e33985ceedb6f476f96', '{}');
INSERT INTO public.idempotency_keys VALUES ('01a2110a-1c85-7388-9554-e889ec5be2f2', 'key-5', '\x0336ea25ac48503091bc67ec361c7d6050797599107613ef3f74fb1694b00718', 201, '{"Location":"http://127.0.0.1:5599/sandbox/v1/leads/lead_01m88gn787e77ve4nyktqe6dxq","ETag":"\"1\""}', '{"data":{"id":"lead_01m88gn787e77ve4nyktqe6dxq","name":"Grace Hopper","email":"grace@example.com","phone":null,"company":null,"tags":["navy"],"assigned_user_id":"user_01m88gn6yfee7b3hz4d4kcbfsx","external_id":null,"metadata":{},"status":"new","source":"api","content_id":"content_01m88gn740enq9ss28200g1wk7","contact_id":null,"lost_reason":null,"value":{"amount":"1200.50","currency":"EUR"},"expected_close_on":null,"status_changed_at":"2026-11-25T04:50:37.949Z","first_contacted_at":null,"first_qualified_at":null,"first_won_at":null,"first_lost_at":null,"created_at":"2026-11-25T04:50:37.949Z","updated_at":"2026-11-25T04:50:37.949Z","version":1}}', '2026-11-25 04:50:37.949+00', '{01a2110a-9d07-71cf-b712-be9eaee337b7}', NULL, '{}');
INSERT INTO public.idempotency_keys VALUES ('01a2110a-1c85-7388-9554-e889ec5be2f2', 'key-6', '\x5ff5aef4eed2941adf0b0e460d12ee8c9cb62fef440de57d889c19fa0e46e961', 201, '{"Location":"http://127.0.0.1:5599/sandbox/v1/contacts/contact_01m88gn7ebefdsfqrd2hp2kgg2","ETag":"\"3\""}', '{"data":{"lead":{"id":"lead_01m88gn787e77ve4nyktqe6dxq","name":"Grace Hopper","email":"grace@example.com","phone":null,"company":null,"tags":["navy"],"assigned_user_id":"user_01m88gn6yfee7b3hz4d4kcbfsx","external_id":null,"metadata":{},"status":"won","source":"api","content_id":"content_01m88gn740enq9ss28200g1wk7","contact_id":"contact_01m88gn7ebefdsfqrd2hp2kgg2","lost_reason":null,"value":{"amount":"1200.50","currency":"EUR"},"expected_close_on":"2027-01-31","status_changed_at":"2026-11-25T04:50:38.170Z","first_contacted_at":"2026-11-25T04:50:38.035Z","first_qualified_at":"2026-11-25T04:50:38.035Z","first_won_at":"2026-11-25T04:50:38.170Z","first_lost_at":null,"created_at":"2026-11-25T04:50:37.949Z","updated_at":"2026-11-25T04:50:38.170Z","version":3},"contact":{"id":"contact_01m88gn7ebefdsfqrd2hp2kgg2","name":"Grace Hopper","email":"grace@example.com","phone":null,"company":null,"tags":["navy"],"assigned_user_id":"user_01m88gn6yfee7b3hz4d4kcbfsx","external_id":null,"metadata":{},"title":null,"created_at":"2026-11-25T04:50:38.134Z","updated_at":"2026-11-25T04:50:38.134Z","version":1},"contact_created":true}}', '2026-11-25 04:50:38.134+00', '{01a2110a-9d07-71cf-b712-be9eaee337b7,01a2110a-9dcb-73db-97df-0d146c29c202}', NULL, '{}');
INSERT INTO public.idempotency_keys VALUES ('01a2110a-1c85-7388-9554-e889ec5be2f2', 'key-7', '\x18e1e63f3e82c0dbc38f4f5960cd14c58dd412ed632477588cf17d6ce5245269', 201, '{"Location":"http://127.0.0.1:5599/sandbox/v1/leads/lead_01m88gn7gee77akex132a8cx2b","ETag":"\"1\""}', '{"data":{"id":"lead_01m88gn7gee77akex132a8cx2b","name":"Joan Clarke","email":"joan@example.com","phone":null,"company":null,"tags":["navy","code"],"assigned_user_id":null,"external_id":null,"metadata":{},"status":"new","source":"api","content_id":null,"contact_id":null,"lost_reason":null,"value":null,"expected_close_on":null,"status_changed_at":"2026-11-25T04:50:38.222Z","first_contacted_at":null,"first_qualified_at":null,"first_won_at":null,"first_lost_at":null,"created_at":"2026-11-25T04:50:38.222Z","updated_at":"2026-11-25T04:50:38.222Z","version":1}}', '2026-11-25 04:50:38.222+00', '{01a2110a-9e0e-71ce-a9bb-a1189486744b}', NULL, '{}');
INSERT INTO public.idempotency_keys VALUES ('01a2110a-1c85-7388-9554-e889ec5be2f2', 'key-8', '\xb4a6aeba96d25f47ce69e30a6a92eee2d76f83ff1d5a4ed4f448fb039e0f8cb0', 201, '{"Location":"http://127.0.0.1:5599/sandbox/v1/leads/lead_01m88gn7gee77akex132a8cx2b/notes/note_01m88gn7gseqvahb3a5qmczr0y","ETag":"\"1\""}', '{"data":{"id":"note_01m88gn7gseqvahb3a5qmczr0y","lead_id":"lead_01m88gn7gee77akex132a8cx2b","contact_id":null,"text":"Called.","pinned":false,"author":{"type":"client","id":"client_01m88gm745ee49an78h7p5qrqj"},"created_at":"2026-11-25T04:50:38.232Z","updated_at":"2026-11-25T04:50:38.232Z","version":1}}', '2026-11-25 04:50:38.232+00', '{01a2110a-9e0e-71ce-a9bb-a1189486744b}', NULL, '{}');
INSERT INTO public.idempotency_keys VALUES ('01a2110a-1c85-7388-9554-e889ec5be2f2', 'key-9', '\x29e0fe20461040274c66c95cbd4d25254ab1093425a092466ff032ad56e13e65', 201, '{"Location":"http://127.0.0.1:5599/sandbox/v1/leads/lead_01m88gn7hfewqrvk8mewqxbpjy","ETag":"\"1\""}', '{"data" : { "id" : "lead_01m88gn7hfewqrvk8mewqxbpjy", "name" : "Erased", "email" : "lead_01m88gn7hfewqrvk8mewqxbpjy@erased.invalid", "phone" : null, "company" : null, "tags" : [], "assigned_user_id" : null, "external_id" : null, "metadata" : {}, "status" : "new", "source" : "api", "content_id" : null, "contact_id" : null, "lost_reason" : null, "value" : null, "expected_close_on" : null, "status_changed_at" : "2026-11-25T04:50:38.255Z", "first_contacted_at" : null, "first_qualified_at" : null, "first_won_at" : null, "first_lost_at" : null, "created_at" : "2026-11-25T04:50:38.255Z", "updated_at" : "2026-11-25T04:50:38.255Z", "version" : 1 }}', '2026-11-25 04:50:38.255+00', '{01a2110a-9e2f-772f-8dcd-14772fd5da5e}', NULL, '{}');
INSERT INTO public.idempotency_keys VALUES ('01a2110a-1c85-7388-9554-e889ec5be2f2', 'key-10', '\x0589c734341a041e01030208969c8e1c933595383c42e5d547f55346811be9cf', 201, '{"Location":"http://127.0.0.1:5599/sandbox/v1/contacts/contact_01m88gn7n4e74tz6mhxxr0efsb","ETag":"\"1\""}', '{"data":{"id":"contact_01m88gn7n4e74tz6mhxxr0efsb","name":"Mary Somerville","email":"mary@example.com","phone":null,"company":null,"tags":[],"assigned_user_id":null,"external_id":null,"metadata":{},"title":null,"created_at":"2026-11-25T04:50:38.358Z","updated_at":"2026-11-25T04:50:38.358Z","version":1}}', '2026-11-25 04:50:38.358+00', '{01a2110a-9ea4-71c9-af9a-91ef70073f2b}', NULL, '{}');
INSERT INTO public.idempotency_keys VALUES ('01a2110a-1c85-7388-9554-e889ec5be2f2', 'key-11', '\xe1ea07a5b43c044cfc5d023df9a768cbd0af1722c0ae31ba3ebdb36b8dc3a033', 201, '{"Location":"http://127.0.0.1:5599/sandbox/v1/inbound-hooks/hook_01m88gn7r2ehya9kewwzh9qz6f","ETag":"\"1\"","Cache-Control":"no-store"}', NULL, '2026-11-25 04:50:38.438+00', '{}', '\x5211b1d5c681eb0d42e1738b5dc253a19aaa8029a0c60bdaf73ea23b2cf05959168fa3ccefb4c5387b828830367661f45714bb86f6bf63835dbd2c3671cbf4e1062ef68d844d0ed9b8e490b79be93100b2f5e60655bc932b6497c4aa856103aae3bce90b3c2d65627e7125701be290e2a1d00bdd563b62a15698b935095ef57da0a755e6f80ede11556581cffa98458ce65d631ca867a59ba9ec0f4fff599366ae10da8bafa7796d72a6c2062882adb11f3602d9e2249b7b2d3562ab3700ea52833c9780d8f04bb7c569f358d1a490e757a710929233cb2d4c1ca592ea96e031182ec2d4b25ddb1e214e30f776e05291bd110f5a3aaf57061ed3b7216761a4f362ea58f55e3ef5ebcd83ed4900092c335c1d2450a3008a0564fb177941d80d5513916325b5c3bf0d75de1311c152dda252df57109a85b5ae9cb511c527c3151dfa0979d8ded843dd0e3d72c8157844b34e4d15bc633a37ca20508624b86f5785ca1f2fd81433d8b908e4b94bae2378d22fdabb87154a3b5e336c5e72a91d0d1270904b8ffe1eef70d5ddeefbaeb06ad153a58bf63ba24604664473260045ef3411fb0ce1ed3ee0e991160c469a4be9ef3060aafd172b19df3dd443411f04fab58bcea08f6a0aa8b4ada4d7ee8638e23c297b5830fa55abb794751dae06c52dfca466cdef1293ef58a8b2fa16f5d3f79ec524d1cb38e73a7fbf492b2c720a802fe8a55f68d6a0d83932f80aaca2d59511', '{}');
INSERT INTO public.idempotency_keys VALUES ('01a2110a-1c85-7388-9554-e889ec5be2f2', 'key-14', '\x5e74a186977c68a19fe5bfadb39099ee2600a539e486f12f9a2b1f74070a72ad', 200, '{}', '{"data":[{"index":0,"status":"created","id":"lead_01m88gn7zqegzvkh2jgnssmhn8","lead":{"id":"lead_01m88gn7zqegzvkh2jgnssmhn8","name":"Karen","email":"karen@example.com","phone":null,"company":null,"tags":[],"assigned_user_id":null,"external_id":null,"metadata":{},"status":"new","source":"api","content_id":null,"contact_id":null,"lost_reason":null,"value":null,"expected_close_on":null,"status_changed_at":"2026-11-25T04:50:38.644Z","first_contacted_at":null,"first_qualified_at":null,"first_won_at":null,"first_lost_at":null,"created_at":"2026-11-25T04:50:38.644Z","updated_at":"2026-11-25T04:50:38.644Z","version":1}},{"index":1,"status":"failed","code":"validation_failed","message":"name: is required","errors":{"name":["is required"],"email":["is required"]}}],"meta":{"total":2,"created":1,"updated":0,"unchanged":0,"deleted":0,"found":0,"not_found":0,"failed":1}}', '2026-11-25 04:50:38.644+00', '{01a2110a-9ff7-743f-b9c4-5285739a46a8}', NULL, '{}');
INSERT INTO public.idempotency_usage VALUES ('01a2110a-1c85-7388-9554-e889ec5be2f2', '2026-11-25 04:00:00+00', 12525);
INSERT INTO public.inbound_deliveries VALUES ('01a2110a-9f3e-75fa-b3e8-2efe32f80dd0', '01a2110a-9f02-747c-a4cd-dce7e29bfccf', 'created', '01a2110a-9f58-72dc-9ea2-84ac5815b1eb', NULL, '{"name":"Hedy Lamarr","email":"hedy@example.com"}', '{hedy@example.com}', '\x05d048b77a764de2b6564d2836d5979c42af63caff2ae1a2fc63f1ec372ecaa8', '2026-11-25 04:50:38.526+00', '2026-11-25 04:50:38.526+00', 1, DEFAULT);
INSERT INTO public.inbound_hooks VALUES ('01a2110a-9f02-747c-a4cd-dce7e29bfccf', 'Form', '\x27c51776fb443770c3620f690d5bf7446f3672a43b698c9c9a566dd5934dbc8a', 'enabled', 'website', '{}', NULL, NULL, '{"name": "/name", "email": "/email"}', '{"type": "none", "header": null, "prefix": null, "encoding": null}', NULL, 'merge', '2026-11-25 04:50:38.438+00', '2026-11-25 04:50:38.438+00', 1, DEFAULT);
INSERT INTO public.inbound_storage VALUES (true, 0);
INSERT INTO public.inbound_storage_changes VALUES (1073);
INSERT INTO public.knex_migrations VALUES (1, '20261120000100_foundation.ts', 1, '2026-11-25 04:49:57.632+00');
INSERT INTO public.knex_migrations VALUES (2, '20261120000200_search_functions.ts', 1, '2026-11-25 04:49:57.64+00');
INSERT INTO public.knex_migrations VALUES (3, '20261120000250_contacts_and_content.ts', 1, '2026-11-25 04:49:57.646+00');
INSERT INTO public.knex_migrations VALUES (4, '20261120000300_leads.ts', 1, '2026-11-25 04:49:57.662+00');
INSERT INTO public.knex_migrations VALUES (5, '20261120000400_resource_lists.ts', 1, '2026-11-25 04:49:57.688+00');
INSERT INTO public.knex_migrations VALUES (6, '20261120000500_events.ts', 1, '2026-11-25 04:49:57.709+00');
INSERT INTO public.knex_migrations VALUES (7, '20261120000550_event_upkeep.ts', 1, '2026-11-25 04:49:57.715+00');
INSERT INTO public.knex_migrations VALUES (8, '20261120000600_webhooks.ts', 1, '2026-11-25 04:49:57.727+00');
INSERT INTO public.knex_migrations VALUES (9, '20261120000700_inbound_hooks.ts', 1, '2026-11-25 04:49:57.743+00');
INSERT INTO public.knex_migrations VALUES (10, '20261120000800_lead_counters.ts', 1, '2026-11-25 04:49:57.762+00');
INSERT INTO public.knex_migrations VALUES (11, '20261120000850_lead_parts.ts', 1, '2026-11-25 04:49:57.766+00');
INSERT INTO public.knex_migrations VALUES (12, '20261120000900_analytics.ts', 1, '2026-11-25 04:49:57.783+00');
INSERT INTO public.knex_migrations VALUES (13, '20261121000100_content_digest.ts', 1, '2026-11-25 04:49:57.802+00');
INSERT INTO public.knex_migrations VALUES (14, '20261121000600_failed_deliveries.ts', 1, '2026-11-25 04:49:57.808+00');
INSERT INTO public.knex_migrations VALUES (15, '20261121000610_expired_events.ts', 1, '2026-11-25 04:49:57.812+00');
INSERT INTO public.knex_migrations VALUES (16, '20261121000620_inbound_storage.ts', 1, '2026-11-25 04:49:57.821+00');
INSERT INTO public.knex_migrations VALUES (17, '20261121000700_undivided_days.ts', 1, '2026-11-25 04:49:57.837+00');
INSERT INTO public.knex_migrations VALUES (18, '20261121000710_lead_milestones.ts', 1, '2026-11-25 04:49:57.863+00');
INSERT INTO public.knex_migrations VALUES (19, '20261121000720_no_digests.ts', 1, '2026-11-25 04:49:57.876+00');
INSERT INTO public.knex_migrations VALUES (20, '20261121000730_vacuum_leads.ts', 1, '2026-11-25 04:49:57.879+00');
INSERT INTO public.knex_migrations VALUES (21, '20261122000100_delivery_queue.ts', 1, '2026-11-25 04:49:57.883+00');
INSERT INTO public.knex_migrations VALUES (22, '20261122000200_lead_tag_counts.ts', 1, '2026-11-25 04:49:57.892+00');
INSERT INTO public.knex_migrations VALUES (23, '20261122000300_metadata_filter.ts', 1, '2026-11-25 04:49:57.896+00');
INSERT INTO public.knex_migrations VALUES (24, '20261122000310_notes.ts', 1, '2026-11-25 04:49:57.909+00');
INSERT INTO public.knex_migrations VALUES (25, '20261122000900_client_administration.ts', 1, '2026-11-25 04:49:57.92+00');
INSERT INTO public.knex_migrations VALUES (26, '20261122000910_retry_schedule.ts', 1, '2026-11-25 04:49:57.937+00');
INSERT INTO public.knex_migrations VALUES (27, '20261122000920_lead_status_cover.ts', 1, '2026-11-25 04:49:57.94+00');
INSERT INTO public.knex_migrations VALUES (28, '20261122000930_event_days_at_once.ts', 1, '2026-11-25 04:49:57.942+00');
INSERT INTO public.knex_migrations VALUES (29, '20261122001100_lead_values.ts', 1, '2026-11-25 04:49:57.959+00');
INSERT INTO public.knex_migrations VALUES (30, '20261122001101_lead_sums.ts', 1, '2026-11-25 04:49:57.974+00');
INSERT INTO public.knex_migrations VALUES (31, '20261122001200_erase_people.ts', 1, '2026-11-25 04:49:57.979+00');
INSERT INTO public.knex_migrations VALUES (32, '20261122001300_imports.ts', 1, '2026-11-25 04:49:57.993+00');
INSERT INTO public.knex_migrations VALUES (33, '20261122001500_beside_1_0_0.ts', 1, '2026-11-25 04:49:57.994+00');
INSERT INTO public.knex_migrations VALUES (34, '20261125000100_import_failures.ts', 1, '2026-11-25 04:49:57.999+00');
INSERT INTO public.knex_migrations VALUES (35, '20261125000110_import_storage.ts', 1, '2026-11-25 04:49:58.01+00');
INSERT INTO public.knex_migrations VALUES (36, '20261125000120_import_erasures.ts', 1, '2026-11-25 04:49:58.015+00');
INSERT INTO public.knex_migrations VALUES (37, '20261125000200_unprintable_answers.ts', 1, '2026-11-25 04:49:58.019+00');
INSERT INTO public.knex_migrations VALUES (38, '20261125000210_answer_scopes.ts', 1, '2026-11-25 04:49:58.02+00');
INSERT INTO public.knex_migrations VALUES (39, '20261125000220_idempotency_usage.ts', 1, '2026-11-25 04:49:58.023+00');
INSERT INTO public.knex_migrations VALUES (40, '20261125000400_webhook_recovery.ts', 1, '2026-11-25 04:49:58.03+00');
INSERT INTO public.knex_migrations VALUES (41, '20261125000600_search_words.ts', 1, '2026-11-25 04:49:58.039+00');
INSERT INTO public.knex_migrations VALUES (42, '20261125000610_event_day_locks.ts', 1, '2026-11-25 04:49:58.04+00');
INSERT INTO public.knex_migrations VALUES (43, '20261125000800_erase_users_and_digests.ts', 1, '2026-11-25 04:49:58.054+00');
INSERT INTO public.knex_migrations_lock VALUES (1, 0);
INSERT INTO public.lead_counts_by_assignee VALUES ('01a2110a-9bcf-738e-b1c7-e46926c5bf3d', 'day', '2026-11-25 00:00:00+00', 'won', 'api', 1);
INSERT INTO public.lead_counts_by_assignee VALUES ('01a2110a-9bcf-738e-b1c7-e46926c5bf3d', 'month', '2026-11-01 00:00:00+00', 'won', 'api', 1);
INSERT INTO public.lead_counts_by_assignee VALUES ('00000000-0000-0000-0000-000000000000', 'month', '2026-11-01 00:00:00+00', 'new', 'website', 1);
INSERT INTO public.lead_counts_by_assignee VALUES ('00000000-0000-0000-0000-000000000000', 'day', '2026-11-25 00:00:00+00', 'new', 'api', 2);
INSERT INTO public.lead_counts_by_assignee VALUES ('00000000-0000-0000-0000-000000000000', 'day', '2026-11-25 00:00:00+00', 'new', 'website', 1);
INSERT INTO public.lead_counts_by_assignee VALUES ('00000000-0000-0000-0000-000000000000', 'month', '2026-11-01 00:00:00+00', 'new', 'api', 2);
INSERT INTO public.lead_counts_of_all VALUES ('ffffffff-ffff-ffff-ffff-ffffffffffff', 'day', '2026-11-25 00:00:00+00', 'won', 'api', 1);
INSERT INTO public.lead_counts_of_all VALUES ('ffffffff-ffff-ffff-ffff-ffffffffffff', 'month', '2026-11-01 00:00:00+00', 'won', 'api', 1);
INSERT INTO public.lead_counts_of_all VALUES ('ffffffff-ffff-ffff-ffff-ffffffffffff', 'month', '2026-11-01 00:00:00+00', 'new', 'website', 1);
INSERT INTO public.lead_counts_of_all VALUES ('ffffffff-ffff-ffff-ffff-ffffffffffff', 'day', '2026-11-25 00:00:00+00', 'new', 'api', 2);
INSERT INTO public.lead_counts_of_all VALUES ('ffffffff-ffff-ffff-ffff-ffffffffffff', 'month', '2026-11-01 00:00:00+00', 'new', 'api', 2);
INSERT INTO public.lead_counts_of_all VALUES ('ffffffff-ffff-ffff-ffff-ffffffffffff', 'day', '2026-11-25 00:00:00+00', 'new', 'website', 1);
INSERT INTO public.lead_status_changes VALUES ('01a2110a-9d07-71cf-b712-be9eaee337b7', NULL, 'new', '2026-11-25 04:50:37.949+00', '01a2110a-1c85-7388-9554-e889ec5be2f2', 'd8024d86-7ab6-45fb-968f-045726e8889b', NULL);
INSERT INTO public.lead_status_changes VALUES ('01a2110a-9d07-71cf-b712-be9eaee337b7', 'new', 'qualified', '2026-11-25 04:50:38.035+00', '01a2110a-1c85-7388-9554-e889ec5be2f2', 'dde8a2d8-8291-483a-b0db-ca4a6efd2d8d', 0);
INSERT INTO public.lead_status_changes VALUES ('01a2110a-9d07-71cf-b712-be9eaee337b7', 'qualified', 'won', '2026-11-25 04:50:38.17+00', '01a2110a-1c85-7388-9554-e889ec5be2f2', 'e5e55400-4cf1-4798-b37f-fd051b04883a', 0);
INSERT INTO public.lead_status_changes VALUES ('01a2110a-9e0e-71ce-a9bb-a1189486744b', NULL, 'new', '2026-11-25 04:50:38.222+00', '01a2110a-1c85-7388-9554-e889ec5be2f2', '5609fbaa-f564-40a4-8e21-211fcaa09db0', NULL);
INSERT INTO public.lead_status_changes VALUES ('01a2110a-9f58-72dc-9ea2-84ac5815b1eb', NULL, 'new', '2026-11-25 04:50:38.526+00', '01a2110a-9f02-747c-a4cd-dce7e29bfccf', '8c9341c0-b9fe-4215-bca9-2aed7d79c215', NULL);
INSERT INTO public.lead_status_changes VALUES ('01a2110a-9ff7-743f-b9c4-5285739a46a8', NULL, 'new', '2026-11-25 04:50:38.644+00', '01a2110a-1c85-7388-9554-e889ec5be2f2', '186dbc83-7fb3-4cc1-a651-3e0d278fc36b', NULL);
INSERT INTO public.lead_sums VALUES ('won', 'EUR', '2026-11-25', 'won', 1, 1200.50);
INSERT INTO public.lead_tag_counts VALUES ('navy', 'new', 'api', 1);
INSERT INTO public.lead_tag_counts VALUES ('navy', 'won', 'api', 1);
INSERT INTO public.lead_tag_counts VALUES ('code', 'new', 'api', 1);
INSERT INTO public.leads VALUES ('01a2110a-9d07-71cf-b712-be9eaee337b7', 'Grace Hopper', 'grace@example.com', NULL, 'won', 'api', NULL, '{navy}', '01a2110a-9bcf-738e-b1c7-e46926c5bf3d', '01a2110a-9c80-756e-9ce4-48100100f267', '01a2110a-9dcb-73db-97df-0d146c29c202', NULL, NULL, '{}', '2026-11-25 04:50:38.17+00', '2026-11-25 04:50:37.949+00', '2026-11-25 04:50:38.17+00', 3, DEFAULT, '2026-11-25 04:50:37.949+00', '2026-11-25 04:50:38.035+00', '2026-11-25 04:50:38.035+00', '2026-11-25 04:50:38.17+00', NULL, 1200.50, 'EUR', '2027-01-31');
INSERT INTO public.leads VALUES ('01a2110a-9e0e-71ce-a9bb-a1189486744b', 'Joan Clarke', 'joan@example.com', NULL, 'new', 'api', NULL, '{navy,code}', NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-25 04:50:38.222+00', '2026-11-25 04:50:38.222+00', '2026-11-25 04:50:38.222+00', 1, DEFAULT, '2026-11-25 04:50:38.222+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.leads VALUES ('01a2110a-9f58-72dc-9ea2-84ac5815b1eb', 'Hedy Lamarr', 'hedy@example.com', NULL, 'new', 'website', NULL, '{}', NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-25 04:50:38.526+00', '2026-11-25 04:50:38.526+00', '2026-11-25 04:50:38.526+00', 1, DEFAULT, '2026-11-25 04:50:38.526+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.leads VALUES ('01a2110a-9ff7-743f-b9c4-5285739a46a8', 'Karen', 'karen@example.com', NULL, 'new', 'api', NULL, '{}', NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-25 04:50:38.644+00', '2026-11-25 04:50:38.644+00', '2026-11-25 04:50:38.644+00', 1, DEFAULT, '2026-11-25 04:50:38.644+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.notes VALUES ('01a2110a-9e19-75f6-a8ac-6a2de8cfe01e', '01a2110a-9e0e-71ce-a9bb-a1189486744b', NULL, 'Called.', false, 'client', '01a2110a-1c85-7388-9554-e889ec5be2f2', '2026-11-25 04:50:38.232+00', '2026-11-25 04:50:38.232+00', 1);
INSERT INTO public.signing_keys VALUES ('RAfdc2kj5Ifc-p8LwpoVf3E5Whki2gh85khquvbG7MM', '{"x": "M-AzSDCs9rN7OqijdziAqw2PintFwdrhEhOzQNRnKvU", "alg": "EdDSA", "crv": "Ed25519", "kid": "RAfdc2kj5Ifc-p8LwpoVf3E5Whki2gh85khquvbG7MM", "kty": "OKP", "use": "sig"}', '\x3c743985ab9fb48016daa6d3bd812a8ea4bcad0f76fafa263a9e4935393f116b6db55bb7fcda764479debb2ace4528ac646f16d22694e0a8d3efcb68efafa9cf5b7626edc0dfa57ac7d758003947284efdc8d856fe6e3e93af7321a315b8c8cd03bd85b3432f5ae3304217580573894d589ab7aad13a3432d63ca5e03e12aa7e5a60aee1da547b317b385c38c28acdd45c74f852c7c41126ec3898539d', '2026-11-25 04:50:01.07+00', NULL);
INSERT INTO public.users VALUES ('01a2110a-9bcf-738e-b1c7-e46926c5bf3d', 'Ada Lovelace', 'ada@example.com', true, '2026-11-25 04:50:37.646+00', '2026-11-25 04:50:37.646+00', 1, DEFAULT);
INSERT INTO public.webhook_attempts VALUES ('01a2110a-9d37-7dcc-abc3-09129adc2890', 1, '2026-11-25 04:50:38.041+00', 24, NULL, 'The connection was refused.', NULL);
INSERT INTO public.webhook_attempts VALUES ('01a2110a-9e10-75fe-a044-890b6f8d3409', 1, '2026-11-25 04:50:38.234+00', 4, NULL, 'The connection was refused.', NULL);
INSERT INTO public.webhook_attempts VALUES ('01a2110a-9e32-7eda-88b4-385c151f3d93', 1, '2026-11-25 04:50:38.264+00', 1, NULL, 'The connection was refused.', NULL);
INSERT INTO public.webhook_attempts VALUES ('01a2110a-9f65-7a4d-99fa-83a0c4b32e31', 1, '2026-11-25 04:50:38.682+00', 20, NULL, 'The connection was refused.', NULL);
INSERT INTO public.webhook_attempts VALUES ('01a2110a-a019-7259-82bf-38f2e14122ea', 1, '2026-11-25 04:50:38.847+00', 1, NULL, 'The connection was refused.', NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a2110a-9d37-7dcc-abc3-09129adc2890', '01a2110a-9cdb-7031-ab31-ae3b0b32ec97', '01a2110a-9d37-7ec3-aaeb-cbada32eebee', 'lead.created', '01a2110a-9d07-71cf-b712-be9eaee337b7', 'pending', 1, '2026-11-25 04:50:43.188+00', '2026-11-25 04:50:37.949+00', '2026-11-25 04:50:38.068+00', NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a2110a-9e10-75fe-a044-890b6f8d3409', '01a2110a-9cdb-7031-ab31-ae3b0b32ec97', '01a2110a-9e10-7b3c-9e7d-d217dc201f66', 'lead.created', '01a2110a-9e0e-71ce-a9bb-a1189486744b', 'pending', 1, '2026-11-25 04:50:43.193+00', '2026-11-25 04:50:38.222+00', '2026-11-25 04:50:38.244+00', NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a2110a-9e32-7eda-88b4-385c151f3d93', '01a2110a-9cdb-7031-ab31-ae3b0b32ec97', '01a2110a-9e31-774f-a8c4-84927458347f', 'lead.created', '01a2110a-9e2f-772f-8dcd-14772fd5da5e', 'pending', 1, '2026-11-25 04:50:43.123+00', '2026-11-25 04:50:38.255+00', '2026-11-25 04:50:38.266+00', NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a2110a-9f65-7a4d-99fa-83a0c4b32e31', '01a2110a-9cdb-7031-ab31-ae3b0b32ec97', '01a2110a-9f65-771b-a51a-6098f88fce17', 'lead.created', '01a2110a-9f58-72dc-9ea2-84ac5815b1eb', 'pending', 1, '2026-11-25 04:50:44.201+00', '2026-11-25 04:50:38.526+00', '2026-11-25 04:50:38.706+00', NULL);
INSERT INTO public.webhook_deliveries VALUES ('01a2110a-a019-7259-82bf-38f2e14122ea', '01a2110a-9cdb-7031-ab31-ae3b0b32ec97', '01a2110a-a019-7c08-9f93-f3d05ea2ffec', 'lead.created', '01a2110a-9ff7-743f-b9c4-5285739a46a8', 'pending', 1, '2026-11-25 04:50:43.375+00', '2026-11-25 04:50:38.644+00', '2026-11-25 04:50:38.851+00', NULL);
INSERT INTO public.webhooks VALUES ('01a2110a-9cdb-7031-ab31-ae3b0b32ec97', 'http://127.0.0.1:1/hook', 'Fails', '{lead.created}', 'enabled', NULL, '\x6822af7b1a7d6a6e7a6e1214e13e8ca7702f5c0d4a2e32c5b83a18ad9d06c5bde55fd07708e8fea24eded3d50ec3ec3fb116af12fd02c33d1a487a266ffe03ff9781dc78d4b43928b912e43caeea', NULL, NULL, NULL, '2026-11-25 04:50:38.008+00', '2026-11-25 04:50:37.904+00', '2026-11-25 04:50:37.904+00', 1, 'standard', NULL, '2026-11-25 04:50:38.068+00');
SELECT pg_catalog.setval('public.event_positions', 19, true);
SELECT pg_catalog.setval('public.knex_migrations_id_seq', 43, true);
SELECT pg_catalog.setval('public.knex_migrations_lock_index_seq', 1, true);
ALTER TABLE ONLY public.api_clients
    ADD CONSTRAINT api_clients_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_key_hash_key UNIQUE (key_hash);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.contacts
    ADD CONSTRAINT contacts_external_id_key UNIQUE (external_id);
ALTER TABLE ONLY public.contacts
    ADD CONSTRAINT contacts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.content
    ADD CONSTRAINT content_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.content
    ADD CONSTRAINT content_slug_key UNIQUE (slug);
ALTER TABLE ONLY public.event_retention
    ADD CONSTRAINT event_retention_pkey PRIMARY KEY (singleton);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.events_20261125
    ADD CONSTRAINT events_20261125_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.events_default
    ADD CONSTRAINT events_default_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (client_id, key);
ALTER TABLE ONLY public.idempotency_usage
    ADD CONSTRAINT idempotency_usage_pkey PRIMARY KEY (client_id, hour);
ALTER TABLE ONLY public.import_chunks
    ADD CONSTRAINT import_chunks_pkey PRIMARY KEY (import_id, number);
ALTER TABLE ONLY public.import_erasures
    ADD CONSTRAINT import_erasures_pkey PRIMARY KEY (hash, erased_at);
ALTER TABLE ONLY public.import_errors
    ADD CONSTRAINT import_errors_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.import_keys
    ADD CONSTRAINT import_keys_pkey PRIMARY KEY (import_id, hash);
ALTER TABLE ONLY public.imports
    ADD CONSTRAINT imports_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.inbound_deliveries
    ADD CONSTRAINT inbound_deliveries_dedupe_key UNIQUE (hook_id, dedupe_key);
ALTER TABLE ONLY public.inbound_deliveries
    ADD CONSTRAINT inbound_deliveries_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.inbound_hooks
    ADD CONSTRAINT inbound_hooks_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.inbound_hooks
    ADD CONSTRAINT inbound_hooks_token_hash_key UNIQUE (token_hash);
ALTER TABLE ONLY public.inbound_storage
    ADD CONSTRAINT inbound_storage_pkey PRIMARY KEY (singleton);
ALTER TABLE ONLY public.knex_migrations_lock
    ADD CONSTRAINT knex_migrations_lock_pkey PRIMARY KEY (index);
ALTER TABLE ONLY public.knex_migrations
    ADD CONSTRAINT knex_migrations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lead_counts_by_assignee
    ADD CONSTRAINT lead_counts_by_assignee_pkey PRIMARY KEY (assigned_user_id, span, begins, status, source);
ALTER TABLE ONLY public.lead_counts_of_all
    ADD CONSTRAINT lead_counts_of_all_pkey PRIMARY KEY (assigned_user_id, span, begins, status, source);
ALTER TABLE ONLY public.lead_sums
    ADD CONSTRAINT lead_sums_pkey PRIMARY KEY (status, period, currency, reached);
ALTER TABLE ONLY public.lead_tag_counts
    ADD CONSTRAINT lead_tag_counts_pkey PRIMARY KEY (tag, status, source);
ALTER TABLE ONLY public.leads
    ADD CONSTRAINT leads_external_id_key UNIQUE (external_id);
ALTER TABLE ONLY public.leads
    ADD CONSTRAINT leads_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.notes
    ADD CONSTRAINT notes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.revoked_tokens
    ADD CONSTRAINT revoked_tokens_pkey PRIMARY KEY (jti);
ALTER TABLE ONLY public.signing_keys
    ADD CONSTRAINT signing_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.webhook_attempts
    ADD CONSTRAINT webhook_attempts_pkey PRIMARY KEY (delivery_id, number);
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.webhook_replays
    ADD CONSTRAINT webhook_replays_pkey PRIMARY KEY (webhook_id);
ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_pkey PRIMARY KEY (id);
CREATE INDEX api_clients_created_at_idx ON public.api_clients USING btree (created_at, id);
CREATE INDEX api_keys_client_id_idx ON public.api_keys USING btree (client_id, created_at, id);
CREATE INDEX audit_log_actor_id_idx ON public.audit_log USING btree (actor_id, created_at, id);
CREATE INDEX audit_log_client_id_idx ON public.audit_log USING btree (client_id, created_at, id);
CREATE INDEX audit_log_created_at_idx ON public.audit_log USING btree (created_at, id);
CREATE INDEX contacts_assigned_user_id_idx ON public.contacts USING btree (assigned_user_id, created_at, id);
CREATE INDEX contacts_created_at_idx ON public.contacts USING btree (created_at, id);
CREATE UNIQUE INDEX contacts_email_key ON public.contacts USING btree (lower(email));
CREATE INDEX contacts_metadata_idx ON public.contacts USING gin (metadata jsonb_path_ops);
CREATE INDEX contacts_name_idx ON public.contacts USING btree (name, id);
CREATE INDEX contacts_search_idx ON public.contacts USING gin (search);
CREATE INDEX contacts_tags_idx ON public.contacts USING gin (tags);
CREATE INDEX contacts_updated_at_idx ON public.contacts USING btree (updated_at, id);
CREATE INDEX content_author_user_id_idx ON public.content USING btree (author_user_id, created_at, id);
CREATE INDEX content_created_at_idx ON public.content USING btree (created_at, id);
CREATE INDEX content_language_idx ON public.content USING btree (lower(language), created_at, id);
CREATE INDEX content_metadata_idx ON public.content USING gin (metadata jsonb_path_ops);
CREATE INDEX content_published_at_idx ON public.content USING btree (published_at);
CREATE INDEX content_search_idx ON public.content USING gin (search);
CREATE INDEX content_status_idx ON public.content USING btree (status, created_at, id);
CREATE INDEX content_tags_idx ON public.content USING gin (tags);
CREATE INDEX content_title_idx ON public.content USING btree (title, id);
CREATE INDEX content_type_idx ON public.content USING btree (type, created_at, id);
CREATE INDEX content_updated_at_idx ON public.content USING btree (updated_at, id);
CREATE INDEX events_position_idx ON ONLY public.events USING btree ("position");
CREATE INDEX events_20261125_position_idx ON public.events_20261125 USING btree ("position");
CREATE INDEX events_resource_id_idx ON ONLY public.events USING btree (resource_id, "position");
CREATE INDEX events_20261125_resource_id_position_idx ON public.events_20261125 USING btree (resource_id, "position");
CREATE INDEX events_default_position_idx ON public.events_default USING btree ("position");
CREATE INDEX events_default_resource_id_position_idx ON public.events_default USING btree (resource_id, "position");
CREATE INDEX idempotency_keys_created_at_idx ON public.idempotency_keys USING btree (created_at);
CREATE INDEX idempotency_keys_people_idx ON public.idempotency_keys USING gin (people) WHERE (people <> '{}'::uuid[]);
CREATE INDEX import_erasures_erased_at_idx ON public.import_erasures USING btree (erased_at);
CREATE INDEX import_errors_import_id_idx ON public.import_errors USING btree (import_id, "row", id);
CREATE INDEX imports_created_at_idx ON public.imports USING btree (created_at, id);
CREATE INDEX imports_queue_idx ON public.imports USING btree (created_at, id) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX imports_startable_idx ON public.imports USING btree (actor_id, created_at) WHERE ((status = ANY (ARRAY['draft'::text, 'queued'::text, 'running'::text])) OR ((status = 'completed'::text) AND dry_run));
CREATE INDEX inbound_deliveries_emails_idx ON public.inbound_deliveries USING gin (emails);
CREATE INDEX inbound_deliveries_hook_id_idx ON public.inbound_deliveries USING btree (hook_id, created_at, id) INCLUDE (status);
CREATE INDEX inbound_deliveries_lead_id_idx ON public.inbound_deliveries USING btree (lead_id) WHERE (lead_id IS NOT NULL);
CREATE INDEX inbound_deliveries_settled_idx ON public.inbound_deliveries USING btree (id) WHERE ((payload_bytes > 0) AND (status <> 'rejected'::text));
CREATE INDEX inbound_hooks_assigned_user_id_idx ON public.inbound_hooks USING btree (assigned_user_id);
CREATE INDEX inbound_hooks_content_id_idx ON public.inbound_hooks USING btree (content_id);
CREATE INDEX inbound_hooks_created_at_idx ON public.inbound_hooks USING btree (created_at, id);
CREATE INDEX lead_status_changes_from_status_idx ON public.lead_status_changes USING btree (from_status, changed_at) INCLUDE (lead_id, seconds) WHERE (from_status IS NOT NULL);
CREATE INDEX lead_status_changes_lead_id_idx ON public.lead_status_changes USING btree (lead_id, changed_at);
CREATE INDEX lead_status_changes_to_status_idx ON public.lead_status_changes USING btree (to_status, changed_at, lead_id);
CREATE INDEX leads_assigned_user_id_idx ON public.leads USING btree (assigned_user_id, created_at, id) INCLUDE (contacted_at, status_changed_at);
CREATE INDEX leads_closed_idx ON public.leads USING btree (status, status_changed_at) INCLUDE (value_currency, value_amount, expected_close_on, new_at, contacted_at, qualified_at, won_at) WHERE (status = ANY (ARRAY['won'::text, 'lost'::text]));
CREATE INDEX leads_contact_id_idx ON public.leads USING btree (contact_id, created_at, id) WHERE (contact_id IS NOT NULL);
CREATE INDEX leads_contacted_at_idx ON public.leads USING btree (contacted_at) INCLUDE (status, source, assigned_user_id, content_id, created_at) WHERE (contacted_at IS NOT NULL);
CREATE INDEX leads_content_id_idx ON public.leads USING btree (content_id, created_at, id) INCLUDE (status, status_changed_at) WHERE (content_id IS NOT NULL);
CREATE INDEX leads_created_at_idx ON public.leads USING btree (created_at, id) INCLUDE (status, source, assigned_user_id, content_id, status_changed_at, new_at, contacted_at, qualified_at, won_at);
CREATE UNIQUE INDEX leads_email_key ON public.leads USING btree (lower(email));
CREATE INDEX leads_expected_close_on_desc_idx ON public.leads USING btree (COALESCE(expected_close_on, '-infinity'::date), id);
CREATE INDEX leads_expected_close_on_idx ON public.leads USING btree (COALESCE(expected_close_on, 'infinity'::date), id);
CREATE INDEX leads_lost_at_idx ON public.leads USING btree (lost_at) INCLUDE (status, source, assigned_user_id, content_id) WHERE (lost_at IS NOT NULL);
CREATE INDEX leads_metadata_idx ON public.leads USING gin (metadata jsonb_path_ops);
CREATE INDEX leads_name_idx ON public.leads USING btree (name, id);
CREATE INDEX leads_qualified_at_idx ON public.leads USING btree (qualified_at) INCLUDE (status, source, assigned_user_id, content_id, created_at, contacted_at) WHERE (qualified_at IS NOT NULL);
CREATE INDEX leads_search_idx ON public.leads USING gin (search);
CREATE INDEX leads_source_idx ON public.leads USING btree (source, created_at, id);
CREATE INDEX leads_status_changed_at_idx ON public.leads USING btree (status_changed_at, id);
CREATE INDEX leads_status_idx ON public.leads USING btree (status, created_at, id) INCLUDE (status_changed_at);
CREATE INDEX leads_tags_idx ON public.leads USING gin (tags);
CREATE INDEX leads_updated_at_idx ON public.leads USING btree (updated_at, id);
CREATE INDEX leads_value_amount_idx ON public.leads USING btree (value_currency, value_amount) WHERE (value_currency IS NOT NULL);
CREATE INDEX leads_value_currency_idx ON public.leads USING btree (value_currency, created_at, id) INCLUDE (status, value_amount, expected_close_on, status_changed_at) WHERE (value_currency IS NOT NULL);
CREATE INDEX leads_won_at_idx ON public.leads USING btree (won_at) INCLUDE (status, source, assigned_user_id, content_id, created_at, qualified_at) WHERE (won_at IS NOT NULL);
CREATE INDEX notes_contact_id_idx ON public.notes USING btree (contact_id, created_at, id) WHERE (contact_id IS NOT NULL);
CREATE INDEX notes_contact_id_pinned_idx ON public.notes USING btree (contact_id, created_at, id) WHERE ((contact_id IS NOT NULL) AND pinned);
CREATE INDEX notes_contact_id_updated_at_idx ON public.notes USING btree (contact_id, updated_at, id) WHERE (contact_id IS NOT NULL);
CREATE INDEX notes_lead_id_idx ON public.notes USING btree (lead_id, created_at, id) WHERE (lead_id IS NOT NULL);
CREATE INDEX notes_lead_id_pinned_idx ON public.notes USING btree (lead_id, created_at, id) WHERE ((lead_id IS NOT NULL) AND pinned);
CREATE INDEX notes_lead_id_updated_at_idx ON public.notes USING btree (lead_id, updated_at, id) WHERE (lead_id IS NOT NULL);
CREATE INDEX revoked_tokens_expires_at_idx ON public.revoked_tokens USING btree (expires_at);
CREATE UNIQUE INDEX signing_keys_current_key ON public.signing_keys USING btree ((true)) WHERE (retired_at IS NULL);
CREATE INDEX users_created_at_idx ON public.users USING btree (created_at, id);
CREATE UNIQUE INDEX users_email_key ON public.users USING btree (lower(email));
CREATE INDEX users_name_idx ON public.users USING btree (name, id);
CREATE INDEX users_search_idx ON public.users USING gin (search);
CREATE INDEX users_updated_at_idx ON public.users USING btree (updated_at, id);
CREATE INDEX webhook_deliveries_failed_idx ON public.webhook_deliveries USING btree (webhook_id, updated_at) INCLUDE (event_id) WHERE ((status <> 'succeeded'::text) AND (attempt_count > 0));
CREATE INDEX webhook_deliveries_queue_idx ON public.webhook_deliveries USING btree (webhook_id, LEAST(attempt_count, 1), next_attempt_at) WHERE (status = 'pending'::text);
CREATE INDEX webhook_deliveries_resource_id_idx ON public.webhook_deliveries USING btree (resource_id, event_id);
CREATE INDEX webhook_deliveries_tests_idx ON public.webhook_deliveries USING btree (webhook_id, next_attempt_at) WHERE ((status = 'pending'::text) AND (event_type = 'webhook.test'::text));
CREATE INDEX webhook_deliveries_unsettled_idx ON public.webhook_deliveries USING btree (webhook_id, status, created_at, id) INCLUDE (event_type) WHERE (status <> 'succeeded'::text);
CREATE INDEX webhook_deliveries_webhook_id_idx ON public.webhook_deliveries USING btree (webhook_id, created_at, id) INCLUDE (status, event_type);
ALTER INDEX public.events_pkey ATTACH PARTITION public.events_20261125_pkey;
ALTER INDEX public.events_position_idx ATTACH PARTITION public.events_20261125_position_idx;
ALTER INDEX public.events_resource_id_idx ATTACH PARTITION public.events_20261125_resource_id_position_idx;
ALTER INDEX public.events_pkey ATTACH PARTITION public.events_default_pkey;
ALTER INDEX public.events_position_idx ATTACH PARTITION public.events_default_position_idx;
ALTER INDEX public.events_resource_id_idx ATTACH PARTITION public.events_default_resource_id_position_idx;
CREATE TRIGGER api_clients_notify AFTER UPDATE ON public.api_clients FOR EACH STATEMENT EXECUTE FUNCTION public.notify_auth_changed();
CREATE TRIGGER api_keys_notify AFTER UPDATE ON public.api_keys FOR EACH STATEMENT EXECUTE FUNCTION public.notify_auth_changed();
CREATE TRIGGER events_hold_horizon BEFORE INSERT ON public.events FOR EACH STATEMENT EXECUTE FUNCTION public.hold_event_horizon();
CREATE TRIGGER inbound_deliveries_delete_storage AFTER DELETE ON public.inbound_deliveries FOR EACH ROW WHEN ((old.payload_bytes > 0)) EXECUTE FUNCTION public.note_inbound_storage();
CREATE TRIGGER inbound_deliveries_insert_storage AFTER INSERT ON public.inbound_deliveries FOR EACH ROW WHEN ((new.payload_bytes > 0)) EXECUTE FUNCTION public.note_inbound_storage();
CREATE TRIGGER inbound_deliveries_truncate_storage AFTER TRUNCATE ON public.inbound_deliveries FOR EACH STATEMENT EXECUTE FUNCTION public.forget_inbound_storage();
CREATE TRIGGER inbound_deliveries_update_storage AFTER UPDATE ON public.inbound_deliveries FOR EACH ROW WHEN ((new.payload_bytes <> old.payload_bytes)) EXECUTE FUNCTION public.note_inbound_storage();
CREATE TRIGGER lead_status_changes_seconds BEFORE INSERT ON public.lead_status_changes FOR EACH ROW WHEN (((new.from_status IS NOT NULL) AND (new.seconds IS NULL))) EXECUTE FUNCTION public.note_seconds();
CREATE TRIGGER leads_deleted AFTER DELETE ON public.leads REFERENCING OLD TABLE AS old_leads FOR EACH STATEMENT EXECUTE FUNCTION public.record_lead_counts();
CREATE TRIGGER leads_inserted AFTER INSERT ON public.leads REFERENCING NEW TABLE AS new_leads FOR EACH STATEMENT EXECUTE FUNCTION public.record_lead_counts();
CREATE TRIGGER leads_milestones BEFORE INSERT OR UPDATE OF status ON public.leads FOR EACH ROW EXECUTE FUNCTION public.note_milestones();
CREATE TRIGGER leads_sums_deleted AFTER DELETE ON public.leads REFERENCING OLD TABLE AS old_leads FOR EACH STATEMENT EXECUTE FUNCTION public.record_lead_sums();
CREATE TRIGGER leads_sums_inserted AFTER INSERT ON public.leads REFERENCING NEW TABLE AS new_leads FOR EACH STATEMENT EXECUTE FUNCTION public.record_lead_sums();
CREATE TRIGGER leads_sums_updated AFTER UPDATE ON public.leads REFERENCING OLD TABLE AS old_leads NEW TABLE AS new_leads FOR EACH STATEMENT EXECUTE FUNCTION public.record_lead_sums();
CREATE TRIGGER leads_tags_deleted AFTER DELETE ON public.leads REFERENCING OLD TABLE AS old_leads FOR EACH STATEMENT EXECUTE FUNCTION public.record_lead_tag_counts();
CREATE TRIGGER leads_tags_inserted AFTER INSERT ON public.leads REFERENCING NEW TABLE AS new_leads FOR EACH STATEMENT EXECUTE FUNCTION public.record_lead_tag_counts();
CREATE TRIGGER leads_tags_updated AFTER UPDATE ON public.leads REFERENCING OLD TABLE AS old_leads NEW TABLE AS new_leads FOR EACH STATEMENT EXECUTE FUNCTION public.record_lead_tag_counts();
CREATE TRIGGER leads_truncated AFTER TRUNCATE ON public.leads FOR EACH STATEMENT EXECUTE FUNCTION public.truncate_lead_counts();
CREATE TRIGGER leads_updated AFTER UPDATE ON public.leads REFERENCING OLD TABLE AS old_leads NEW TABLE AS new_leads FOR EACH STATEMENT EXECUTE FUNCTION public.record_lead_counts();
CREATE TRIGGER revoked_tokens_notify AFTER INSERT ON public.revoked_tokens FOR EACH STATEMENT EXECUTE FUNCTION public.notify_auth_changed();
CREATE TRIGGER signing_keys_notify AFTER INSERT OR UPDATE ON public.signing_keys FOR EACH STATEMENT EXECUTE FUNCTION public.notify_auth_changed();
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.api_clients(id);
ALTER TABLE ONLY public.contacts
    ADD CONSTRAINT contacts_assigned_user_id_fkey FOREIGN KEY (assigned_user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.content
    ADD CONSTRAINT content_author_user_id_fkey FOREIGN KEY (author_user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.api_clients(id);
ALTER TABLE ONLY public.import_errors
    ADD CONSTRAINT import_errors_import_id_fkey FOREIGN KEY (import_id) REFERENCES public.imports(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.inbound_hooks
    ADD CONSTRAINT inbound_hooks_assigned_user_id_fkey FOREIGN KEY (assigned_user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.inbound_hooks
    ADD CONSTRAINT inbound_hooks_content_id_fkey FOREIGN KEY (content_id) REFERENCES public.content(id);
ALTER TABLE ONLY public.lead_status_changes
    ADD CONSTRAINT lead_status_changes_lead_id_fkey FOREIGN KEY (lead_id) REFERENCES public.leads(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.leads
    ADD CONSTRAINT leads_assigned_user_id_fkey FOREIGN KEY (assigned_user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.leads
    ADD CONSTRAINT leads_contact_id_fkey FOREIGN KEY (contact_id) REFERENCES public.contacts(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.leads
    ADD CONSTRAINT leads_content_id_fkey FOREIGN KEY (content_id) REFERENCES public.content(id);
ALTER TABLE ONLY public.notes
    ADD CONSTRAINT notes_contact_id_fkey FOREIGN KEY (contact_id) REFERENCES public.contacts(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.notes
    ADD CONSTRAINT notes_lead_id_fkey FOREIGN KEY (lead_id) REFERENCES public.leads(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhook_attempts
    ADD CONSTRAINT webhook_attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES public.webhook_deliveries(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhook_replays
    ADD CONSTRAINT webhook_replays_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES public.webhooks(id) ON DELETE CASCADE;
