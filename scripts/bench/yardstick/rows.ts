/** One row: reading, creating and changing it. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Row } from './database.ts';
import { recordEvent } from './events.ts';
import { type Resource, resources } from './resources.ts';
import { newUuid, toUuid } from './typeid.ts';

interface Statements {
  read: pg.QueryConfig;
  create: pg.QueryConfig;
  lock: pg.QueryConfig;
  patch: pg.QueryConfig;
}

const statements = new Map(
  [...resources.values()].map((resource): [Resource, Statements] => [resource, statementsOf(resource)]),
);

function statementsOf(resource: Resource): Statements {
  const { name, columns, more, patched } = resource;
  const all = [...columns, ...more].join(', ');
  const read = `select ${all} from ${name} where id = $1`;
  const patch = `update ${name} set ${patched} = $2, updated_at = statement_timestamp(), version = version + 1
    where id = $1 returning ${all}`;
  return {
    read: { name: `read ${name}`, text: read },
    create: { name: `create ${name}`, text: insertionOf(resource, all) },
    lock: { name: `lock ${name}`, text: `${read} for no key update` },
    patch: { name: `patch ${name}`, text: patch },
  };
}

/** Leads have a first status change, written in the same statement. */
function insertionOf({ name, created }: Resource, all: string): string {
  const columns = ['id', ...Object.keys(created)];
  const placeholders = columns.map((_, index) => `$${index + 1}`);
  const insert = `insert into ${name} (${columns}) values (${placeholders}) on conflict do nothing returning ${all}`;
  if (name !== 'leads') return insert;
  return `with lead as (${insert}), change as (
      insert into lead_status_changes (lead_id, to_status, changed_at, actor_id, request_id)
      select id, status, status_changed_at, $${columns.length + 1}, $${columns.length + 2} from lead
    )
    select ${all} from lead`;
}

/** Runs a statement that affects one row. */
async function one(
  client: pg.Pool | pg.ClientBase,
  resource: Resource,
  statement: keyof Statements,
  values: unknown[],
): Promise<Row> {
  const prepared = statements.get(resource)?.[statement] as pg.QueryConfig;
  const { rows } = await client.query<Row>({ name: prepared.name, text: prepared.text, values });
  if (rows[0] === undefined) throw new Error(`${prepared.name}: no row`);
  return rows[0];
}

export async function read(pool: pg.Pool, resource: Resource, id: string): Promise<Row> {
  const row = await one(pool, resource, 'read', [toUuid(id)]);
  return { data: resource.withMore(resource.toData(row), row) };
}

export function create(pool: pg.Pool, resource: Resource, clientId: string | null, body: Row): Promise<Row> {
  const { name, prefix, created, toData, withMore } = resource;
  const values: unknown[] = [newUuid()];
  for (const column in created) values.push(body[column] ?? created[column]);
  if (name === 'leads') values.push(clientId, randomUUID());
  return transaction(pool, async (client) => {
    const row = await one(client, resource, 'create', values);
    const object = toData(row);
    await recordEvent(client, clientId, { type: `${prefix}.created`, object, changes: {} });
    return { data: withMore(object, row) };
  });
}

export function patch(
  pool: pg.Pool,
  resource: Resource,
  clientId: string | null,
  id: string,
  body: Row,
): Promise<Row> {
  const { prefix, patched, toData, withMore } = resource;
  const uuid = toUuid(id);
  return transaction(pool, async (client) => {
    const before = await one(client, resource, 'lock', [uuid]);
    const after = await one(client, resource, 'patch', [uuid, body[patched]]);
    const object = toData(after);
    const changes = { [patched]: { from: before[patched], to: after[patched] } };
    await recordEvent(client, clientId, { type: `${prefix}.updated`, object, changes });
    return { data: withMore(object, after) };
  });
}

async function transaction(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<Row>): Promise<Row> {
  const client = await pool.connect();
  let fault: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    fault = error as Error;
    throw error;
  } finally {
    // Closes the connection after a fault, which rolls back.
    client.release(fault);
  }
}
