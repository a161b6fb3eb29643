import { type ApiClientRow, type ApiKeyRow, apiKeyColumns, clientColumns } from '../auth/tables.ts';
import { changeTime } from '../db/change-horizon.ts';
import { type Db, one } from '../db/db.ts';
import { condition } from '../db/list/condition.ts';
import * as filters from '../db/list/filters.ts';
import { knex } from '../db/query.ts';
import { defineResource } from '../db/resource.ts';
import type { JobKind } from '../jobs/tables.ts';
import type { Input } from '../operation.ts';

export const clients = defineResource<ApiClientRow>({
  table: 'api_clients',
  prefix: 'client',
  another: 'another client',
  unique: [],
  sortable: { created_at: 'timestamptz', updated_at: 'timestamptz', name: 'text' },
  columns: clientColumns,
});

export const clientFilters: filters.FilterTable<Input<'listClients'>['query']> = {
  status: (status) => condition(status === 'disabled' ? 'disabled_at is not null' : 'disabled_at is null'),
  ...filters.dateFilters,
};

export const apiKeyFilters: filters.FilterTable<Input<'listApiKeys'>['query']> = filters.dateFilters;

/** The client as which the operator's commands call the service. */
export const OPERATOR_ID = '00000000-0000-7000-8000-000000000001';

/** Does nothing if there is a client with this id. */
export async function insertClientOnce(
  db: Db,
  row: Pick<ApiClientRow, 'id' | 'name' | 'scopes' | 'secret_hash'>,
): Promise<void> {
  await db.run(knex('api_clients').insert(row).onConflict('id').ignore());
}

/** All clients, for the operator. */
export async function findClients(db: Db): Promise<ApiClientRow[]> {
  return db.run(
    knex('api_clients')
      .select(...clientColumns)
      .orderBy('created_at'),
  );
}

/** All API keys, or those of one client (UUID), for the operator. */
export async function findApiKeys(db: Db, clientId: string | undefined): Promise<ApiKeyRow[]> {
  const keys = knex('api_keys')
    .select(...apiKeyColumns)
    .orderBy('created_at');
  return db.run(clientId === undefined ? keys : keys.where({ client_id: clientId }));
}

/** The client's (UUID) enabled webhooks become paused. They keep their deliveries. */
export async function pauseWebhooks(trx: Db, clientId: string): Promise<void> {
  await trx.run(
    knex('webhooks')
      .where({ client_id: clientId, status: 'enabled' })
      .update({ status: 'paused', version: knex.raw('version + 1'), updated_at: changeTime }),
  );
}

/** What a client (UUID) has that its being disabled concerns. The ids are UUIDs. */
interface Belongings {
  ending_jobs: { kind: JobKind; id: string }[];
  paused_webhooks: string[];
  enabled_hooks: string[];
}

export async function findBelongings(db: Db, clientId: string): Promise<Belongings> {
  const idsOf = (table: 'webhooks' | 'inbound_hooks') =>
    knex(table).select(knex.raw(`coalesce(array_agg(id order by id), '{}')`));
  const ending = knex('jobs')
    .where({ actor_id: clientId })
    .whereRaw(`status in ('queued', 'running')`)
    .select(knex.raw(`coalesce(json_agg(json_build_object('kind', kind, 'id', id) order by id), '[]')`));
  return one<Belongings>(
    db,
    knex.select({
      ending_jobs: ending,
      paused_webhooks: idsOf('webhooks').where({ client_id: clientId, status: 'paused' }),
      enabled_hooks: idsOf('inbound_hooks').where({ client_id: clientId, status: 'enabled' }),
    }),
  );
}

/**
 * The enabled clients (UUIDs) with the scope `admin`. Locks them until the transaction ends, so that two of them can't
 * disable each other. Locks them in the order of their ids, so that two transactions can't deadlock.
 */
export async function lockAdmins(trx: Db): Promise<string[]> {
  const admins = await trx.run(
    knex('api_clients')
      .whereNull('disabled_at')
      .whereRaw(`'admin' = any(scopes)`)
      // Nobody can sign in as the operator's commands.
      .whereNot('id', OPERATOR_ID)
      .select('id')
      .orderBy('id')
      .forNoKeyUpdate(),
  );
  return admins.map(({ id }) => id);
}
