import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from } from 'pg-copy-streams';
import { createProgress } from '../../src/cli/progress.ts';
import { newUuid } from '../../src/values/id.ts';
import { changeColumns, type Fixtures, leadColumns, linesOf, PLANS } from './scale-rows.ts';

const USERS = 100;
const CONTENT = 50;
/** Leads per COPY. */
const BATCH = 250_000;
/** Leads per chunk of the stream. */
const CHUNK = 2_000;

/** Fills an empty, migrated database with `count` leads from three years and their status changes. */
export async function load(databaseUrl: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // For building indexes, in this session only.
    await client.query("set maintenance_work_mem = '512MB'");
    // One transaction, so that no later run finds half of the data, or tables without their indexes.
    await client.query('begin');
    const fixtures = await addFixtures(client);
    const indexes = await dropIndexes(client);
    await copyLeads(client, count, fixtures);
    await addEarlierCycles(client);
    for (const { definition } of indexes) await client.query(definition);
    await client.query('commit');
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

async function addFixtures(client: pg.Client): Promise<Fixtures> {
  const users = Array.from({ length: USERS }, newUuid);
  const content = Array.from({ length: CONTENT }, newUuid);
  await client.query(
    `insert into users (id, name, email)
      select id, 'User ' || n, 'user' || n || '@example.com' from unnest($1::uuid[]) with ordinality as made(id, n)`,
    [users],
  );
  await client.query(
    `insert into content (id, title, slug, type, status, published_at)
      select id, 'Content ' || n, 'content-' || n, 'ebook', 'published', now() - interval '1096 days'
      from unnest($1::uuid[]) with ordinality as made(id, n)`,
    [content],
  );
  await client.query(
    `insert into metadata_fields (id, resource, key, type, options, slot, status, is_typed, job_id)
      select new_uuid(), 'leads', key, type, options, slot, 'active', true, new_uuid()
      from (values ('score', 'number', null, 1), ('plan', 'choice', $1::text[], 2), ('due', 'date', null, 3))
        as field (key, type, options, slot)`,
    [PLANS],
  );
  return { users, content };
}

/** Drops the indexes that no constraint uses. Building them after the load is many times faster than updating them. */
async function dropIndexes(client: pg.Client): Promise<{ name: string; definition: string }[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index
    where indrelid in ('leads'::regclass, 'lead_status_changes'::regclass, 'sales_cycles'::regclass)
      and not exists (select from pg_constraint where conindid = indexrelid)`);
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows;
}

async function copyLeads(client: pg.Client, count: number, fixtures: Fixtures): Promise<void> {
  const onProgress = createProgress(process.stderr, count);
  const end = Date.now();
  for (let first = 0; first < count; first += BATCH) {
    const last = Math.min(first + BATCH, count);
    const changes: string[] = [];
    function* chunks() {
      for (let next = first; next < last; next += CHUNK) {
        const lines = linesOf(next, Math.min(next + CHUNK, last), count, end, fixtures);
        changes.push(lines.changes);
        yield lines.leads;
      }
    }
    await copy(client, `leads (${leadColumns})`, chunks());
    // Disables the foreign key checks. Every row refers to a lead copied just before, so they would always pass.
    await client.query('set session_replication_role = replica');
    await copy(client, `lead_status_changes (${changeColumns})`, changes);
    await client.query('reset session_replication_role');
    onProgress?.(last);
  }
}

/** Every second lead has come back once: what was won and lost before. */
async function addEarlierCycles(client: pg.Client): Promise<void> {
  await client.query('set session_replication_role = replica');
  await client.query(`
    insert into sales_cycles (id, lead_id, number, status, furthest_status, source, company, tags, assigned_user_id,
      content_id, value_amount, value_currency, opened_at, closed_at)
    select new_uuid(), id, 1, status, case status when 'won' then 'won' else 'contacted' end, source, company, tags,
      assigned_user_id, content_id, value_amount, value_currency, created_at, created_at
    from (
      select leads.*, (array['won', 'lost'])[1 + get_byte(uuid_send(id), 14) % 2] as status
      from (select id, source, company, tags, assigned_user_id, content_id, value_amount, value_currency, created_at
        from leads where get_byte(uuid_send(id), 15) % 2 = 0) as leads
    ) as earlier`);
  await client.query('reset session_replication_role');
  await client.query('select rebuild_lead_counters()');
}

async function copy(client: pg.Client, target: string, chunks: Iterable<string>): Promise<void> {
  await pipeline(Readable.from(chunks), client.query(from(`copy ${target} from stdin`)));
}
