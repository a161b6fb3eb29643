import type { Row } from './database.ts';
import { toId } from './typeid.ts';

/** A resource as the yardstick serves it. */
export interface Resource {
  name: string;
  prefix: string;
  /** Columns that a list shows, and those that an answer about a single row shows besides. */
  columns: readonly string[];
  more: readonly string[];
  /** JSON of a row in a list and in an event. */
  toData(row: Row): Row;
  /** The same with `more`. */
  withMore(data: Row, row: Row): Row;
  /** SQL for the number of all rows. */
  total: string;
  /** Columns that a create writes besides the id, with the values of those that a request leaves out. */
  created: Row;
  /** The column that a PATCH changes. */
  patched: string;
}

const base = ['id', 'created_at', 'updated_at', 'version'];
const person = ['name', 'email', 'phone', 'company', 'tags', 'assigned_user_id', 'external_id', 'metadata'];

const toNullableId = (prefix: string, uuid: string | null) => (uuid === null ? null : toId(prefix, uuid));

/** The counts of leads of all assignees. */
export const ofAll = "assigned_user_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff'";

/** The service's counters: what was folded, and the changes since. */
export function countedLeads(condition: string): string {
  return `(
    select coalesce(sum(total), 0)::int from (
      select total from lead_counts
      where ${ofAll} and span = 'month' and ${condition}
      union all
      select change from lead_count_changes where ${condition}
    ) counted
  )`;
}

const nothingMore = { more: [], withMore: (data: Row) => data };

const leads: Resource = {
  name: 'leads',
  prefix: 'lead',
  columns: [
    ...[...base, ...person, 'status', 'source', 'content_id', 'contact_id', 'lost_reason'],
    ...['status_changed_at', 'contacted_at', 'qualified_at', 'won_at', 'lost_at'],
    ...['value_amount', 'value_currency', 'expected_close_on'],
  ],
  ...nothingMore,
  toData: (row) => ({
    id: toId('lead', row.id),
    name: row.name,
    email: row.email,
    phone: row.phone,
    company: row.company,
    tags: row.tags,
    assigned_user_id: toNullableId('user', row.assigned_user_id),
    external_id: row.external_id,
    metadata: row.metadata,
    status: row.status,
    source: row.source,
    content_id: toNullableId('content', row.content_id),
    contact_id: toNullableId('contact', row.contact_id),
    lost_reason: row.lost_reason,
    value: row.value_amount && { amount: row.value_amount, currency: row.value_currency },
    expected_close_on: row.expected_close_on,
    status_changed_at: row.status_changed_at,
    first_contacted_at: row.contacted_at,
    first_qualified_at: row.qualified_at,
    first_won_at: row.won_at,
    first_lost_at: row.lost_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  }),
  total: countedLeads('true'),
  created: {
    ...{ name: null, email: null, phone: null, status: 'new', source: 'api', company: null, tags: [] },
    ...{ assigned_user_id: null, content_id: null, external_id: null, lost_reason: null, metadata: {} },
    ...{ value_amount: null, value_currency: null, expected_close_on: null },
  },
  patched: 'company',
};

const contacts: Resource = {
  name: 'contacts',
  prefix: 'contact',
  columns: [...base, ...person, 'title'],
  ...nothingMore,
  toData: (row) => ({
    id: toId('contact', row.id),
    name: row.name,
    email: row.email,
    phone: row.phone,
    company: row.company,
    tags: row.tags,
    assigned_user_id: toNullableId('user', row.assigned_user_id),
    external_id: row.external_id,
    metadata: row.metadata,
    title: row.title,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  }),
  total: '(select count(*)::int from contacts)',
  created: {
    ...{ name: null, email: null, phone: null, company: null, title: null, external_id: null },
    ...{ tags: [], assigned_user_id: null, metadata: {} },
  },
  patched: 'company',
};

const content: Resource = {
  name: 'content',
  prefix: 'content',
  columns: [
    ...[...base, 'title', 'slug', 'type', 'summary', 'body_sha256', 'url', 'language', 'status'],
    ...['author_user_id', 'tags', 'metadata', 'published_at', 'archived_at'],
  ],
  more: ['body'],
  withMore: (data, { body }) => ({ ...data, body }),
  toData: (row) => ({
    id: toId('content', row.id),
    title: row.title,
    slug: row.slug,
    type: row.type,
    summary: row.summary,
    body_sha256: row.body_sha256,
    url: row.url,
    language: row.language,
    status: row.status,
    author_user_id: toNullableId('user', row.author_user_id),
    tags: row.tags,
    metadata: row.metadata,
    published_at: row.published_at,
    archived_at: row.archived_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  }),
  total: '(select count(*)::int from content)',
  created: {
    ...{ title: null, slug: null, type: null, summary: null, body: null, url: null, language: null },
    ...{ author_user_id: null, tags: [], metadata: {} },
  },
  patched: 'summary',
};

const users: Resource = {
  name: 'users',
  prefix: 'user',
  columns: [...base, 'name', 'email', 'active'],
  ...nothingMore,
  toData: (row) => ({
    id: toId('user', row.id),
    name: row.name,
    email: row.email,
    active: row.active,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  }),
  total: '(select count(*)::int from users)',
  created: { name: null, email: null, active: true },
  patched: 'name',
};

export const resources = new Map([leads, contacts, content, users].map((each) => [each.name, each]));
