import type { Knex } from 'knex';

/**
 * Each way of a lead through the pipeline. While a cycle is open, it follows its lead. When it is closed, it keeps what it was:
 * reports about the past read nothing else.
 */
export async function up(knex: Knex): Promise<void> {
  await table(knex);
  await beginning(knex);
  await following(knex);
  await histories(knex);
}

async function table(knex: Knex): Promise<void> {
  await knex.raw(`
    create table sales_cycles (
      id uuid constraint sales_cycles_pkey primary key,
      lead_id uuid not null constraint sales_cycles_lead_id_fkey references leads on delete cascade,
      -- Its place among the lead's cycles.
      number integer not null,
      status text not null
        constraint sales_cycles_status_check check (status in ('new', 'contacted', 'qualified', 'won', 'lost')),
      -- The status that it came furthest to. None comes after won, and lost is no step: null if it arrived as lost.
      furthest_status text
        constraint sales_cycles_furthest_status_check check (furthest_status in ('new', 'contacted', 'qualified', 'won')),
      source text not null,
      source_detail text,
      company text,
      tags text[] not null,
      -- Without foreign keys: it keeps who and what it was about, even if they are deleted.
      assigned_user_id uuid,
      content_id uuid,
      lost_reason text constraint sales_cycles_lost_reason_check check (lost_reason is null or status = 'lost'),
      value_amount numeric,
      value_currency text,
      expected_close_on date,
      -- The id of the deal in another system.
      external_id text constraint sales_cycles_external_id_key unique,
      opened_at timestamptz(3) not null,
      closed_at timestamptz(3),
      created_at timestamptz(3) not null default change_time(),
      updated_at timestamptz(3) not null default change_time(),
      version integer not null default 1,
      constraint sales_cycles_closed_at_check check ((closed_at is null) = (status in ('new', 'contacted', 'qualified')))
    ) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);
    create trigger sales_cycles_hold_horizon before insert or update on sales_cycles
      for each statement execute function hold_change_horizon();

    -- The cycles of a lead.
    create index sales_cycles_lead_id_idx on sales_cycles (lead_id, opened_at, id);
    -- The orders of GET /sales-cycles. Only closed ones are sorted by closed_at.
    create index sales_cycles_opened_at_idx on sales_cycles (opened_at, id);
    create index sales_cycles_updated_at_idx on sales_cycles (updated_at, id);
    -- Reports count what was won and lost by the day, and by what the cycle kept.
    create index sales_cycles_closed_at_idx on sales_cycles (closed_at, id)
      include (status, furthest_status, source, assigned_user_id, content_id, value_currency, value_amount, opened_at)
      where closed_at is not null;
    create index sales_cycles_status_idx on sales_cycles (status, closed_at);
    -- Its filters. Those that most cycles don't have are partial.
    create index sales_cycles_assigned_user_id_idx on sales_cycles (assigned_user_id, closed_at);
    create index sales_cycles_content_id_idx on sales_cycles (content_id, closed_at) where content_id is not null;
    create index sales_cycles_source_detail_idx on sales_cycles (source_detail, closed_at) where source_detail is not null;
    create index sales_cycles_company_idx on sales_cycles (lower(company), closed_at) where company is not null;
    create index sales_cycles_lost_reason_idx on sales_cycles (lower(lost_reason), closed_at) where lost_reason is not null;
    create index sales_cycles_tags_idx on sales_cycles using gin (tags) where tags <> '{}';
  `);
}

async function beginning(knex: Knex): Promise<void> {
  await knex.raw(`
    create function is_closed(status text) returns boolean language sql immutable parallel safe
      return status in ('won', 'lost');

    -- The further one of two statuses. Lost is no step, and the first one may be null.
    create function further_status(one text, other text) returns text language sql immutable parallel safe
      return case when other <> 'lost' and (one is null or reaches(other, one)) then other else one end;

    -- Whoever changes the status of a won or lost lead begins its next cycle. A correction changes the closed cycle first, so
    -- that it no longer has the old status. A merge and a withdrawal say which cycle the lead continues.
    create function begin_sales_cycle() returns trigger language plpgsql as $$
    declare
      current sales_cycles;
    begin
      if tg_op = 'INSERT' then
        new.sales_cycle_opened_at := new.created_at;
        new.sales_cycles_won := (new.status = 'won')::int;
        return new;
      end if;
      if is_closed(old.status) and new.status <> old.status and new.sales_cycle_id = old.sales_cycle_id then
        select * into current from sales_cycles where id = old.sales_cycle_id;
        if current.status = old.status then
          new.sales_cycle_id := new_uuid();
          new.sales_cycle_opened_at := new.status_changed_at;
        end if;
      end if;
      select
        1 + count(*) filter (where (opened_at, id) < (new.sales_cycle_opened_at, new.sales_cycle_id)),
        (new.status = 'won')::int + count(*) filter (where status = 'won')
      into new.sales_cycle_number, new.sales_cycles_won
      from sales_cycles where lead_id = new.id and id <> new.sales_cycle_id;
      return new;
    end $$;
    -- After leads_milestones, by its name: that one dates the change.
    create trigger leads_sales_cycle before insert or update of status, sales_cycle_id on leads
      for each row execute function begin_sales_cycle();
  `);
}

async function following(knex: Knex): Promise<void> {
  await knex.raw(`
    create function open_sales_cycles() returns trigger language plpgsql as $$
    begin
      insert into sales_cycles (id, lead_id, number, status, furthest_status, source, source_detail, company, tags,
        assigned_user_id, content_id, lost_reason, value_amount, value_currency, expected_close_on, opened_at, closed_at)
      select sales_cycle_id, id, 1, status, further_status(null, status), source, source_detail, company, tags,
        assigned_user_id, content_id, lost_reason, value_amount, value_currency, expected_close_on, sales_cycle_opened_at,
        case when is_closed(status) then greatest(status_changed_at, sales_cycle_opened_at) end
      from new_leads;
      return null;
    end $$;
    create trigger leads_sales_cycles_opened after insert on leads referencing new table as new_leads
      for each statement execute function open_sales_cycles();

    create function follow_lead() returns trigger language plpgsql as $$
    begin
      if new.sales_cycle_id <> old.sales_cycle_id then
        insert into sales_cycles (id, lead_id, number, status, furthest_status, source, source_detail, company, tags,
          assigned_user_id, content_id, lost_reason, value_amount, value_currency, expected_close_on, opened_at, closed_at)
        values (new.sales_cycle_id, new.id, new.sales_cycle_number, new.status, further_status(null, new.status), new.source,
          new.source_detail, new.company, new.tags, new.assigned_user_id, new.content_id, new.lost_reason, new.value_amount,
          new.value_currency, new.expected_close_on, new.sales_cycle_opened_at,
          case when is_closed(new.status) then new.status_changed_at end)
        -- After a merge or a withdrawal, the lead continues a cycle that it has.
        on conflict (id) do nothing;
        if found then return null; end if;
      end if;
      update sales_cycles set
        status = new.status, furthest_status = further_status(furthest_status, new.status), source = new.source,
        source_detail = new.source_detail, company = new.company, tags = new.tags, assigned_user_id = new.assigned_user_id,
        content_id = new.content_id, lost_reason = new.lost_reason, value_amount = new.value_amount,
        value_currency = new.value_currency, expected_close_on = new.expected_close_on,
        closed_at = case when is_closed(new.status) then greatest(new.status_changed_at, opened_at) end,
        version = version + 1, updated_at = change_time()
      where id = new.sales_cycle_id and closed_at is null;
      -- While a lead is closed, its value and its lost reason correct its last cycle.
      if is_closed(old.status) and new.status = old.status then
        update sales_cycles set
          lost_reason = new.lost_reason, value_amount = new.value_amount, value_currency = new.value_currency,
          version = version + 1, updated_at = change_time()
        where id = new.sales_cycle_id and closed_at is not null and (lost_reason, value_amount, value_currency)
          is distinct from (new.lost_reason, new.value_amount, new.value_currency);
      end if;
      return null;
    end $$;
    create trigger leads_sales_cycles_followed after update of status, sales_cycle_id, source, source_detail, company, tags,
        assigned_user_id, content_id, lost_reason, value_amount, value_currency, expected_close_on on leads
      for each row when (
        (old.status, old.sales_cycle_id, old.source, old.source_detail, old.company, old.tags, old.assigned_user_id,
          old.content_id, old.lost_reason, old.value_amount, old.value_currency, old.expected_close_on)
        is distinct from
        (new.status, new.sales_cycle_id, new.source, new.source_detail, new.company, new.tags, new.assigned_user_id,
          new.content_id, new.lost_reason, new.value_amount, new.value_currency, new.expected_close_on)
      ) execute function follow_lead();
  `);
}

async function histories(knex: Knex): Promise<void> {
  await knex.raw(`
    -- After cycles have come or gone.
    create function number_sales_cycles(lead uuid) returns void language sql as $$
      update sales_cycles as cycle set number = place.number, version = version + 1, updated_at = change_time()
      from (
        select id, row_number() over (order by opened_at, id) as number from sales_cycles where lead_id = lead
      ) as place
      where cycle.id = place.id and cycle.number <> place.number
    $$;

    -- Divides the whole histories of new leads into cycles: each change away from won or lost begins the next one. The value is
    -- that of the last one.
    create function divide_into_sales_cycles(new_leads uuid[]) returns void language sql as $$
      with change as (
        select id, lead_id, to_status, changed_at,
          1 + count(*) filter (where is_closed(from_status)) over (partition by lead_id order by changed_at, id) as number
        from lead_status_changes where lead_id = any(new_leads)
      ), part as (
        select lead_id, number, max(number) over (partition by lead_id) as cycles, min(changed_at) as opened_at,
          max(changed_at) as changed_at, array_agg(id) as changes,
          (array_agg(to_status order by changed_at desc, id desc))[1] as status,
          case
            when bool_or(to_status = 'won') then 'won'
            when bool_or(to_status = 'qualified') then 'qualified'
            when bool_or(to_status = 'contacted') then 'contacted'
            when bool_or(to_status = 'new') then 'new'
          end as furthest_status
        from change group by lead_id, number
      ), cycle as materialized (
        select part.*, case when number = cycles then leads.sales_cycle_id else new_uuid() end as id,
          count(*) filter (where part.status = 'won') over (partition by lead_id) as won
        from part join leads on leads.id = part.lead_id
      ), earlier as (
        insert into sales_cycles (id, lead_id, number, status, furthest_status, source, source_detail, company, tags,
          assigned_user_id, content_id, opened_at, closed_at)
        select cycle.id, lead_id, number, cycle.status, furthest_status, source, source_detail, company, tags,
          assigned_user_id, content_id, opened_at, changed_at
        from cycle join leads on leads.id = cycle.lead_id where number < cycles
      ), last as (
        update sales_cycles set number = cycle.number, furthest_status = cycle.furthest_status, opened_at = cycle.opened_at
        from cycle where sales_cycles.id = cycle.id
          and (sales_cycles.number, sales_cycles.furthest_status, sales_cycles.opened_at)
            is distinct from (cycle.number, cycle.furthest_status, cycle.opened_at)
      ), divided as (
        update lead_status_changes set sales_cycle_id = cycle.id
        from cycle where lead_status_changes.id = any(cycle.changes) and number < cycles
      )
      update leads set
        sales_cycle_number = cycles,
        sales_cycle_opened_at = cycle.opened_at,
        sales_cycles_won = cycle.won
      from cycle where leads.sales_cycle_id = cycle.id
        and (leads.sales_cycle_number, leads.sales_cycle_opened_at, leads.sales_cycles_won)
          is distinct from (cycles, cycle.opened_at, cycle.won)
    $$;
  `);
}
