import type { Db } from '../../db/db.ts';
import { knex, prepareShapes } from '../../db/query.ts';

/** Index entries read per query. Bounds its time, however many leads there are. */
const MAX_SCANNED = 20_000;
/** Leads shown of a group. */
const MAX_SHOWN = 10;

const ofPerson = (table: string) => ({ source: table, id: 'id' });

/** What duplicates have in common: a hash of it, the partial index's condition, and the index's table and column of ids. */
const keys = {
  phone: { key: 'same_phone(phone)', isKnown: 'phone is not null', from: ofPerson },
  name_and_company: { key: 'same_name(name, company)', isKnown: 'company is not null', from: ofPerson },
  email_local_part: {
    key: 'same_local_part(email)',
    isKnown: 'same_local_part(email) is not null',
    from: (table: 'leads' | 'contacts') => ({ source: `${table.slice(0, -1)}_emails`, id: 'owner_id' }),
  },
};

export type Reason = keyof typeof keys;

/** In this order, they are listed. */
export const reasons = Object.keys(keys) as Reason[];

export interface DuplicateRow {
  id: string;
  name: string;
  email: string | null;
  phone: string | null;
  company: string | null;
  assigned_user_id: string | null;
  created_at: string;
}

/** A group, with one of its rows. All but `scanned` and `last_key` are null if there is no group. */
interface Found extends DuplicateRow {
  key: string | null;
  total: number;
  /** How many entries were read, and the last one's key. */
  scanned: number;
  last_key: string | null;
}

interface Group {
  /** A bigint. */
  key: string;
  total: number;
  rows: DuplicateRow[];
}

interface Scan {
  groups: Group[];
  /** Where to continue; undefined at the end. */
  next: string | undefined;
}

const scans = prepareShapes<{ after: string; limit: number }, Found>('duplicates');

/** Up to `limit` groups whose keys come after this one. There may be more even if it finds none. */
export async function scanDuplicates(
  db: Db,
  table: 'leads' | 'contacts',
  reason: Reason,
  { after, limit }: { after: string; limit: number },
): Promise<Scan> {
  const { key, isKnown, from } = keys[reason];
  const { source, id } = from(table);
  const rows = await db.run(
    scans(`${table} ${reason}`, true, { after, limit }, (bind) =>
      knex.raw(
        `with scanned as materialized (
          select ${key} as key from ${source} where ${isKnown} and ${key} > ?::bigint
          order by ${key} limit ${MAX_SCANNED}
        ), last as (
          select count(*)::int as scanned, max(key) as last_key from scanned
        ), candidate as (
          -- The last group may go on beyond what was read.
          select key from scanned group by key having count(*) > 1
          union select last_key from last where scanned = ${MAX_SCANNED}
        ), found as materialized (
          select candidate.key, counted.total
          from candidate cross join lateral (
            select count(distinct ${id})::int as total from ${source} where ${isKnown} and ${key} = candidate.key
          ) as counted
          where counted.total > 1 order by candidate.key limit ?
        )
        select last.scanned, last.last_key, found.key, found.total, shown.*
        from last left join (
          found cross join lateral (
            select id, name, email, phone, company, assigned_user_id, created_at from ${table}
            where id in (
              select distinct ${id} from ${source} where ${isKnown} and ${key} = found.key order by 1 limit ${MAX_SHOWN}
            )
          ) as shown
        ) on true
        order by found.key, shown.id`,
        [bind((given) => given.after), bind((given) => given.limit)],
      ),
    ),
  );
  const groups = groupsOf(rows);
  const isFull = groups.length === limit;
  const [{ scanned = 0, last_key = null } = {}] = rows;
  const isCut = scanned === MAX_SCANNED && last_key !== null;
  return { groups, next: isFull ? groups.at(-1)?.key : isCut ? last_key : undefined };
}

function groupsOf(rows: readonly Found[]): Group[] {
  const groups = new Map<string, Group>();
  for (const { key, total, scanned: _scanned, last_key: _last, ...row } of rows) {
    if (key === null) continue;
    const group = groups.get(key) ?? { key, total, rows: [] };
    group.rows.push(row);
    groups.set(key, group);
  }
  return [...groups.values()];
}
