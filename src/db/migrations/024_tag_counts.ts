import type { Knex } from 'knex';

/**
 * How many leads, contacts or pieces of content have each tag. Leads have counters of their tags, some of them not folded yet;
 * the tags of the others are counted.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create view tag_counts as
      select resource, md5(tag)::uuid as id, tag, count
      from (
        select 'leads' as resource, key as tag, sum(total) as count
        from (
          select key, total from lead_counters where kind = 'tag'
          union all select key, total from lead_counter_changes where kind = 'tag'
        ) as counter
        group by key having sum(total) > 0
        union all
        select 'contacts', tag, count(*)
        from (select distinct id, unnest(tags) as tag from contacts) as tagged group by tag
        union all
        select 'content', tag, count(*)
        from (select distinct id, unnest(tags) as tag from content) as tagged group by tag
      ) as counted;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop view tag_counts');
}
