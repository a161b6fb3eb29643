/**
 * The baseline for the API: node:http and pg with prepared statements, the same SQL, the same token cache and the same
 * bodies, but no validation, no Express and no Knex.
 *
 *   node scripts/bench/yardstick.ts DATABASE_URL SECRET_KEY_BASE64
 *
 * Prints {"url", "token"} once it is listening.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import pg from 'pg';
import { createAuth } from '../../src/auth/auth.ts';
import { newUuid, toId, toUuid } from '../../src/db/id.ts';
import { createKnex } from '../../src/db/knex.ts';
import { INSERT_EVENTS } from '../../src/events/queries.ts';
import { type Resource, resources } from './resources.ts';

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

/** A resource with its insert statement. */
interface Served extends Resource {
  name: string;
  insert: string;
}

const served = new Map(
  Object.entries(resources as Record<string, Resource>).map(([name, resource]) => [
    name,
    { ...resource, name, insert: insertOf(name, resource) },
  ]),
);

/** The statement that inserts a row and returns it. */
function insertOf(
  table: string,
  { body, toRow, columns, wrapInsert = (insert) => insert }: Resource,
): string {
  const names = ['id', ...Object.keys(toRow(body()))];
  return wrapInsert(
    `insert into ${table} (${names}) values (${names.map((_, index) => `$${index + 1}`)})
      on conflict do nothing returning ${columns}`,
    names.length + 1,
  );
}

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const principal = await auth.authenticate(req.headers, (find) => find());
  const { pathname, searchParams } = new URL(req.url ?? '', 'http://localhost');
  const [, , name = '', id] = pathname.split('/');
  const resource = served.get(name);
  if (resource === undefined) send(res, 404, { message: 'not found' });
  else if (req.method === 'POST') send(res, 201, await create(resource, await json(req), principal.clientId));
  else if (id === undefined) send(res, 200, await list(resource, Number(searchParams.get('per_page') ?? 20)));
  else send(res, 200, await read(resource, id));
}

async function list({ name, columns, toData }: Served, perPage: number): Promise<unknown> {
  const { rows } = await pool.query<{ total: number }>({
    name: `list ${name}`,
    text: `
      select counted.total, page.*
      from (select count(*)::int as total from ${name}) counted
      left join lateral (
        select ${columns} from ${name} order by created_at desc, id desc limit $1 offset $2
      ) page on true
      order by created_at desc, id desc`,
    values: [perPage + 1, 0],
  });
  const total = rows[0]?.total ?? 0;
  const meta = { total, per_page: perPage, current_page: 1, last_page: Math.ceil(total / perPage) };
  return { data: rows.slice(0, perPage).map(toData), meta };
}

async function read({ name, prefix, columns, toData }: Served, id: string): Promise<unknown> {
  const text = `select ${columns} from ${name} where id = $1`;
  const { rows } = await pool.query({ name: `read ${name}`, text, values: [toUuid(prefix, id)] });
  return { data: toData(rows[0]) };
}

/** The API's statement with node-postgres' placeholders, `$1` instead of `?`. */
let placeholders = 0;
const insertEvent = INSERT_EVENTS.replaceAll('?', () => `$${++placeholders}`);

async function create(resource: Served, body: unknown, clientId: string | null): Promise<unknown> {
  const { name, prefix, insert, wrapInsert, toRow, toData } = resource;
  const values = [newUuid(), ...Object.values(toRow(body)), ...(wrapInsert === undefined ? [] : [clientId])];
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query({ name: `create ${name}`, text: insert, values });
    const object = toData(rows[0]);
    const events = JSON.stringify([
      { type: `${prefix}.created`, resource_id: values[0], object, changes: {} },
    ]);
    const event = [events, 'yardstick', 'client', clientId];
    await client.query({ name: 'record event', text: insertEvent, values: event });
    await client.query('commit');
    return { data: object };
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
