import type { Knex } from 'knex';
import type { components } from '../../generated/api.ts';
import type { LeadRow } from '../../src/leads/tables.ts';
import { newUuid } from '../../src/values/id.ts';
import { PUBLIC_URL } from './app.ts';
import type { TestClient } from './client.ts';
import { uniqueEmail } from './factories.ts';

type Schemas = components['schemas'];
type Lead = Schemas['Lead'];
type Query = Record<string, string | number>;

interface Page {
  leads: Lead[];
  meta: Schemas['ListMeta'];
  links: Record<string, string>;
}

/** Inserts leads directly, so that a test can set times and ids. Returns the uuids. */
export async function insertLeads(db: Knex, leads: Partial<LeadRow>[]): Promise<string[]> {
  const rows = leads.map((lead) => ({
    id: newUuid(),
    name: 'Ada Lovelace',
    email: uniqueEmail(),
    status: 'new' as const,
    source: 'api' as const,
    ...lead,
  }));
  await db.batchInsert('leads', rows, 1_000);
  return rows.map(({ id }) => id);
}

/** Records directly that a lead entered a status at that time. The first status is the initial one. */
export async function enterStatus(
  db: Knex,
  lead_id: string,
  status: LeadRow['status'],
  at: string,
  isFirst: boolean,
): Promise<void> {
  const changed_at = new Date(at).toISOString();
  const { status: before = null } = (await db('leads').where({ id: lead_id }).first('status')) ?? {};
  await db('lead_status_changes').insert({
    lead_id,
    from_status: isFirst ? null : before,
    to_status: status,
    changed_at,
    actor_type: 'system',
    request_id: 'test-request',
    sales_cycle_id: db.raw('(select sales_cycle_id from leads where id = ?)', [lead_id]),
  });
  if (!isFirst) await db('leads').where({ id: lead_id }).update({ status, status_changed_at: changed_at });
}

/** The path of a list with its encoded query. */
export function leadsPath(query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
  return `/leads?${parameters}`;
}

export async function listLeads(client: TestClient, query: Query | string = {}): Promise<Page> {
  const path = typeof query === 'string' ? query : leadsPath(query);
  const { body, headers } = await client.get(path).expect(200);
  return { leads: body.data, meta: body.meta, links: parseLinks(headers.link ?? '') };
}

export async function listNames(client: TestClient, query: Query | string = {}): Promise<string[]> {
  const { leads } = await listLeads(client, query);
  return leads.map(({ name }) => name);
}

/** Follows next_cursor to its end. `between` runs after each page but the last. */
export async function walk(
  client: TestClient,
  query: Query,
  between: (page: Page) => Promise<void> = async () => {},
): Promise<Page[]> {
  const pages = [await listLeads(client, query)];
  for (let page = pages[0]; page?.meta.next_cursor != null; page = pages.at(-1)) {
    await between(page);
    const { page: _page, ...filters } = query;
    pages.push(await listLeads(client, { ...filters, cursor: page.meta.next_cursor }));
  }
  return pages;
}

/** The URL that a link of this service refers to. */
export function linked(link = ''): URL {
  return new URL(link, PUBLIC_URL);
}

/** Follows a link of this service. The link refers to the public URL; the test uses a port. */
export function followLink(client: TestClient, link: string): Promise<Page> {
  const { pathname, search } = linked(link);
  return listLeads(client, pathname.replace(/^\/v1/, '') + search);
}

/** RFC 8288: `<target>; rel="name"`, comma-separated. Throws for anything else. */
export function parseLinks(header: string): Record<string, string> {
  const link = /\s*<([^<>\s"]+)>;\s*rel="(\w+)"\s*(?:,|$)/y;
  const links: Record<string, string> = {};
  while (link.lastIndex < header.length) {
    const [, target, rel] = link.exec(header) ?? [];
    if (target === undefined || rel === undefined) throw new Error(`Not a Link header: ${header}`);
    links[rel] = target;
  }
  return links;
}
