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
import { toContact } from '../../src/contacts/contact.ts';
import { newUuid, toId, toUuid } from '../../src/db/id.ts';
import { createKnex } from '../../src/db/knex.ts';
import { type ContactRow, contactColumns, type LeadRow, leadColumns } from '../../src/db/tables.ts';
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

interface Resource<Row extends { id: string }> {
  prefix: 'lead' | 'contact';
  columns: readonly string[];
  toData: (row: Row) => unknown;
  /** The insert of a new row, which gives it back. */
  create: string;
  values: (body: Body, clientId: string | null) => unknown[];
}

type Body = Schema<'CreateLead'> & Schema<'CreateContact'>;

const leads: Resource<LeadRow> = {
  prefix: 'lead',
  columns: leadColumns,
  toData: toLead,
  create: `
    with lead as (
      insert into leads (id, name, email, phone, status, source, company, tags, assigned_user_id, content_id,
        external_id, lost_reason, metadata)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
      on conflict do nothing returning ${leadColumns}
    ), change as (
      insert into lead_status_changes (lead_id, to_status, changed_at, actor_id, request_id)
      select id, status, status_changed_at, $14, $15 from lead
    )
    select ${leadColumns} from lead`,
  values: ({ name, email, phone, status = 'new', source = 'api', company, tags, external_id }, clientId) => [
    ...[newUuid(), name, email, phone, status, source, company, tags, null, null, external_id, null, '{}'],
    ...[clientId, 'yardstick'],
  ],
};

const contacts: Resource<ContactRow> = {
  prefix: 'contact',
  columns: contactColumns,
  toData: toContact,
  create: `
    insert into contacts (id, name, email, phone, company, title, tags, assigned_user_id, external_id, metadata)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    on conflict do nothing returning ${contactColumns}`,
  values: ({ name, email, phone, company, title, tags, external_id }) => [
    ...[newUuid(), name, email, phone, company, title, tags, null, external_id, '{}'],
  ],
};

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const principal = await auth.authenticate(req.headers);
  const { pathname, searchParams } = new URL(req.url ?? '', 'http://localhost');
  const [, , table = '', id] = pathname.split('/');
  const work = {
    req,
    res,
    table,
    id,
    clientId: principal.clientId,
    perPage: Number(searchParams.get('per_page') ?? 20),
  };
  return table === 'contacts' ? serve(contacts, work) : serve(leads, work);
}

interface Work {
  req: IncomingMessage;
  res: ServerResponse;
  table: string;
  id: string | undefined;
  clientId: string | null;
  perPage: number;
}

async function serve<Row extends { id: string }>(resource: Resource<Row>, work: Work): Promise<void> {
  const { req, res, table, perPage } = work;
  const { prefix, columns, toData } = resource;
  if (req.method === 'POST') {
    const values = resource.values((await json(req)) as Body, work.clientId);
    send(res, 201, { data: toData(await create<Row>(`create ${table}`, resource.create, values)) });
  } else if (work.id === undefined) {
    const result = await pool.query<Row & { total: number }>({
      name: `list ${table}`,
      text: `
        select counted.total, page.*
        from (select count(*)::int as total from ${table}) counted
        left join lateral (
          select ${columns} from ${table} order by created_at desc, id desc limit $1 offset $2
        ) page on true
        order by created_at desc, id desc`,
      values: [perPage + 1, 0],
    });
    const total = result.rows[0]?.total ?? 0;
    const meta = { total, per_page: perPage, current_page: 1, last_page: Math.ceil(total / perPage) };
    send(res, 200, { data: result.rows.slice(0, perPage).map(toData), meta });
  } else {
    const text = `select ${columns} from ${table} where id = $1`;
    const { rows } = await pool.query<Row>({
      name: `read ${table}`,
      text,
      values: [toUuid(prefix, work.id)],
    });
    const [row] = rows;
    if (row === undefined) send(res, 404, { message: 'not found' });
    else send(res, 200, { data: toData(row) });
  }
}

async function create<Row extends { id: string }>(
  name: string,
  text: string,
  values: unknown[],
): Promise<Row> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query<Row>({ name, text, values });
    await client.query('commit');
    const [row] = rows;
    if (row === undefined) throw new Error('The row was not created.');
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
