/**
 * What the API is measured against: node:http and pg with prepared statements, the same SQL, the same token cache and
 * the same bodies; no validation, no Express, no Knex.
 *
 *   node scripts/bench/yardstick.ts DATABASE_URL SECRET_KEY_BASE64
 *
 * Prints {"url", "token"} when it listens
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import pg from 'pg';
import { createAuth } from '../../src/auth/auth.ts';
import { newUuid, toId, toUuid } from '../../src/db/id.ts';
import { createKnex } from '../../src/db/knex.ts';
import type { LeadRow } from '../../src/db/tables.ts';
import type { Schema } from '../../src/http/operation.ts';
import { toLead } from '../../src/leads/lead.ts';

const [databaseUrl = '', secretKey = ''] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
const db = createKnex(databaseUrl, 2);
const auth = createAuth({
  db,
  databaseUrl,
  secretKey: Buffer.from(secretKey, 'base64'),
  environment: 'production',
  baseUrl: 'http://yardstick',
});

const columns =
  'id, name, email, phone, status, source, company, tags, assigned_user_id, content_id, contact_id, external_id, lost_reason, metadata, status_changed_at, created_at, updated_at, version';

const list = `
  select counted.total, page.*
  from (select count(*)::int as total from leads) counted
  left join lateral (
    select ${columns} from leads order by created_at desc, id desc limit $1 offset $2
  ) page on true
  order by created_at desc, id desc`;

const read = `select ${columns} from leads where id = $1`;

const create = `
  with lead as (
    insert into leads (id, name, email, phone, status, source, company, tags, assigned_user_id, content_id,
      external_id, lost_reason, metadata)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
    on conflict do nothing returning ${columns}
  ), change as (
    insert into lead_status_changes (lead_id, to_status, changed_at, actor_id, request_id)
    select id, status, status_changed_at, $14, $15 from lead
  )
  select ${columns} from lead`;

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const principal = await auth.authenticate(req.headers);
  const { pathname, searchParams } = new URL(req.url ?? '', 'http://localhost');
  if (req.method === 'POST') {
    const body = (await json(req)) as Schema<'CreateLead'>;
    const lead = await createLead(body, principal.clientId);
    send(res, 201, { data: toLead(lead) });
  } else if (pathname === '/v1/leads') {
    const perPage = Number(searchParams.get('per_page') ?? 20);
    const result = await pool.query<LeadRow & { total: number }>({
      name: 'list',
      text: list,
      values: [perPage + 1, 0],
    });
    const total = result.rows[0]?.total ?? 0;
    const meta = { total, per_page: perPage, current_page: 1, last_page: Math.ceil(total / perPage) };
    send(res, 200, { data: result.rows.slice(0, perPage).map(toLead), meta });
  } else {
    const id = toUuid('lead', pathname.slice('/v1/leads/'.length));
    const { rows } = await pool.query<LeadRow>({ name: 'read', text: read, values: [id] });
    const [row] = rows;
    if (row === undefined) send(res, 404, { message: 'not found' });
    else send(res, 200, { data: toLead(row) });
  }
}

async function createLead(lead: Schema<'CreateLead'>, clientId: string | null): Promise<LeadRow> {
  const client = await pool.connect();
  const values = [
    newUuid(),
    lead.name,
    lead.email,
    lead.phone ?? null,
    lead.status ?? 'new',
    lead.source ?? 'api',
    lead.company ?? null,
    lead.tags ?? [],
    null,
    null,
    lead.external_id ?? null,
    null,
    JSON.stringify(lead.metadata ?? {}),
    clientId,
    'yardstick',
  ];
  try {
    await client.query('begin');
    const { rows } = await client.query<LeadRow>({ name: 'create', text: create, values });
    await client.query('commit');
    const [row] = rows;
    if (row === undefined) throw new Error('The lead was not created.');
    return row;
  } finally {
    client.release();
  }
}

function send(res: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  res.end(text);
}

const server = createServer((req, res) => {
  answer(req, res).catch((error: Error) => send(res, 500, { message: error.message }));
});
server.listen(0, '127.0.0.1', async () => {
  const [client] = await db('api_clients').select('id');
  const token = await auth.issueToken(toId('client', client?.id ?? ''), ['read', 'write']);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  process.stdout.write(`${JSON.stringify({ url, token })}\n`);
});
