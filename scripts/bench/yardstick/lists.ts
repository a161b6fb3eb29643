/** Lists, newest first. Each kind of list is one prepared statement; a cursor is the last row's time and id. */
import type pg from 'pg';
import type { Row } from './database.ts';
import { countedLeads, ofAll, type Resource } from './resources.ts';

const ORDER = 'order by created_at desc, id desc';

/** $1 is the number of rows; the other parameters are the kind's own. */
const statements = {
  first: ({ name, columns, total }: Resource) =>
    `select ${total} as total, ${columns} from ${name} ${ORDER} limit $1`,
  status: ({ name, columns }: Resource) =>
    `select ${countedLeads('status = $2')} as total, ${columns} from ${name} where status = $2 ${ORDER} limit $1`,
  after: ({ name, columns, total }: Resource) =>
    `select ${total} as total, ${columns} from ${name}
      where (created_at, id) < ($2::timestamptz, $3::uuid) ${ORDER} limit $1`,
  search: ({ name, columns }: Resource) => `
    with hit as materialized (select id as hit_id, created_at as hit_at from ${name} where search @@ search_query($2))
    select (select count(*)::int from hit) as total, ${columns}
    from (select * from hit order by hit_at desc, hit_id desc limit $1) page join ${name} on id = hit_id ${ORDER}`,
  /** Leads only. The counters lead to the months of the page, then to its days; only there are rows skipped. */
  deep: ({ columns }: Resource) => `
    with month as materialized (
      select begins, sum(total)::int as leads
      from (
        select begins, total from lead_counts where ${ofAll} and span = 'month'
        union all
        select utc_month(begins), change from lead_count_changes
      ) counted
      group by begins
    ), near as (
      select begins, utc_month(begins + interval '32 days') as ends, upto - leads as before
      from (select begins, leads, sum(leads) over (order by begins desc) as upto from month) placed
      where upto > $2::bigint and upto - leads < $2::bigint + $1::bigint
    ), day as (
      select begins, leads, (select min(before) from near) + sum(leads) over (order by begins desc) as upto
      from (
        select counted.begins, sum(total)::int as leads
        from near cross join lateral (
          select begins, total from lead_counts
          where ${ofAll} and span = 'day' and begins >= near.begins and begins < near.ends
          union all
          select begins, change from lead_count_changes where begins >= near.begins and begins < near.ends
        ) counted
        group by counted.begins
      ) of_month
    ), hit as (
      select begins, upto - leads as before from day
      where upto > $2::bigint and upto - leads < $2::bigint + $1::bigint
    )
    select (select sum(leads)::int from month) as total, found.*
    from (
      select row.id
      from hit cross join lateral (
        select id, created_at from leads where created_at >= begins and created_at < begins + interval '24 hours' ${ORDER}
        limit $1::bigint + $2::bigint - greatest(before, $2::bigint) offset greatest($2::bigint - before, 0)
      ) row
      ${ORDER} limit $1
    ) chosen
    cross join lateral (select ${columns} from leads where id = chosen.id limit 1) found ${ORDER}`,
};

type Kind = keyof typeof statements;

/** Statements by name, such as `first leads`. */
const texts = new Map<string, string>();

export async function list(pool: pg.Pool, resource: Resource, query: URLSearchParams): Promise<Row> {
  const perPage = Number(query.get('per_page') ?? 20);
  const { kind, values, page } = kindOf(query, perPage);
  const name = `${kind} ${resource.name}`;
  const text = texts.get(name) ?? statements[kind](resource);
  texts.set(name, text);
  // One more row than the page shows tells whether there is a next page.
  const { rows } = await pool.query<Row>({ name, text, values: [perPage + 1, ...values] });
  const total = rows[0]?.total ?? 0;
  const last = rows.length > perPage ? rows[perPage - 1] : undefined;
  const next = last && [last.created_at, last.id, page + 1];
  const data = rows.slice(0, perPage).map(resource.toData);
  const meta = {
    total,
    per_page: perPage,
    current_page: page,
    last_page: Math.max(1, Math.ceil(total / perPage)),
    next_cursor: next === undefined ? null : Buffer.from(JSON.stringify(next)).toString('base64url'),
  };
  return { data, meta };
}

/** Which statement answers, with which values. Filters are not combined: the bench asks for one at a time. */
function kindOf(query: URLSearchParams, perPage: number): { kind: Kind; values: unknown[]; page: number } {
  const [status, search, cursor] = [query.get('status'), query.get('search'), query.get('cursor')];
  if (cursor !== null) {
    const [time, id, page] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return { kind: 'after', values: [time, id], page };
  }
  if (status !== null) return { kind: 'status', values: [status], page: 1 };
  if (search !== null) return { kind: 'search', values: [search], page: 1 };
  const page = Number(query.get('page') ?? 1);
  return page === 1
    ? { kind: 'first', values: [], page }
    : { kind: 'deep', values: [(page - 1) * perPage], page };
}
