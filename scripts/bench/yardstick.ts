/**
 * The least that some answers about leads can cost: node:http and node-postgres with prepared statements, on the service's
 * database, with its tokens and its JSON, but without validation, router, rate limits or log.
 *
 *   node scripts/bench/yardstick.ts DATABASE_URL API_URL
 *
 * Prints its URL once it is listening.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import pg from 'pg';
import { types } from '../../src/db/pool/types.ts';
import { toLead } from '../../src/leads/lead.ts';
import { type LeadRow, leadColumns } from '../../src/leads/tables.ts';
import { newUuid, toUuid } from '../../src/values/id.ts';

const [connectionString = '', issuer = ''] = process.argv.slice(2);
/** As many connections as the service has. */
const pool = new pg.Pool({ connectionString, max: 10, types: types as pg.CustomTypesConfig });
const keys = createRemoteJWKSet(new URL(`${issuer}/auth/jwks`));
/** UUIDs of the clients, by token. */
const clients = new Map<string, string>();

type LeadBody = Pick<LeadRow, 'name' | 'email' | 'phone' | 'source' | 'company' | 'tags'>;
type ListRow = LeadRow & { total: number };

const COUNTED = (condition: string) => `(
  select coalesce(sum(total), 0)::int from (
    select total from lead_counters where kind = 'month' and key = 'all' and ${condition}
    union all select total from lead_counter_changes where kind = 'owner_day' and ${condition}
  ) counted
)`;
const list = (condition: string) =>
  `select ${COUNTED(condition)} as total, ${leadColumns} from leads where ${condition}
    order by created_at desc, id desc limit $1`;

const statements = {
  list: list('true'),
  listByStatus: list('status = $2'),
  read: `select ${leadColumns} from leads where id = $1`,
  create: `
    with lead as (
      insert into leads (id, name, email, phone, status, source, company, tags)
      values ($1, $2, $3, $4, 'new', $5, $6, $7)
      returning ${leadColumns}
    ), change as (
      insert into lead_status_changes (lead_id, to_status, changed_at, sales_cycle_id, actor_type, actor_id, request_id)
      select id, status, status_changed_at, sales_cycle_id, 'client', $8, $9 from lead
    )
    select * from lead`,
  // With a delivery for each webhook that wants it.
  record: `
    with recorded as (
      insert into events (type, request_id, actor_type, actor_id, resource_id, object, changes)
      values ('lead.created', $1, 'client', $2, $3, $4, '{}') returning id, type, resource_id
    )
    insert into webhook_deliveries (webhook_id, event_id, event_type, resource_id)
    select webhooks.id, recorded.id, recorded.type, recorded.resource_id
    from recorded join webhooks on webhooks.status = 'enabled' and webhooks.event_types && array['*', recorded.type]`,
};

async function run<Row extends pg.QueryResultRow>(
  db: pg.Pool | pg.PoolClient,
  name: keyof typeof statements,
  values: unknown[],
): Promise<Row[]> {
  return (await db.query<Row>({ name, text: statements[name], values })).rows;
}

async function listLeads(query: URLSearchParams): Promise<object> {
  const perPage = Number(query.get('per_page') ?? 20);
  const status = query.get('status');
  // One more row than the page shows tells whether there is a next page.
  const rows =
    status === null
      ? await run<ListRow>(pool, 'list', [perPage + 1])
      : await run<ListRow>(pool, 'listByStatus', [perPage + 1, status]);
  const total = rows[0]?.total ?? 0;
  const last = rows.length > perPage ? rows[perPage - 1] : undefined;
  const meta = {
    total,
    per_page: perPage,
    current_page: 1,
    last_page: Math.max(1, Math.ceil(total / perPage)),
    next_cursor:
      last === undefined
        ? null
        : Buffer.from(JSON.stringify([last.created_at, last.id])).toString('base64url'),
    has_more: last !== undefined,
  };
  return { data: rows.slice(0, perPage).map(toLead), meta };
}

async function createLead(clientId: string, body: LeadBody): Promise<object> {
  const { name, email, phone, source, company, tags } = body;
  const id = newUuid();
  const requestId = randomUUID();
  const connection = await pool.connect();
  try {
    await connection.query('begin');
    const values = [id, name, email, phone, source, company, tags, clientId, requestId];
    const [row] = await run<LeadRow>(connection, 'create', values);
    const data = toLead(row as LeadRow);
    await run(connection, 'record', [requestId, clientId, id, JSON.stringify(data)]);
    await connection.query('commit');
    return { data };
  } finally {
    connection.release();
  }
}

async function clientOf({ headers }: IncomingMessage): Promise<string> {
  const token = headers.authorization?.slice('Bearer '.length) ?? '';
  const known = clients.get(token);
  if (known !== undefined) return known;
  const { payload } = await jwtVerify(token, keys, { issuer, typ: 'at+jwt' });
  const client = toUuid('client', payload.sub ?? '') ?? '';
  clients.set(token, client);
  return client;
}

async function answer(req: IncomingMessage): Promise<object> {
  const clientId = await clientOf(req);
  if (req.method === 'POST') return createLead(clientId, (await json(req)) as LeadBody);
  const { pathname, searchParams } = new URL(req.url ?? '', issuer);
  const id = toUuid('lead', pathname.split('/')[3] ?? '');
  if (id === undefined) return listLeads(searchParams);
  const [row] = await run<LeadRow>(pool, 'read', [id]);
  return { data: toLead(row as LeadRow) };
}

const server = createServer(async (req, res) => {
  const text = JSON.stringify(await answer(req));
  res.writeHead(req.method === 'POST' ? 201 : 200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  res.end(text);
});
server.listen(0, '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`),
);
