import { type ApiClientRow, type ApiKeyRow, apiKeyColumns, clientColumns } from '../auth/tables.ts';
import type { Db } from '../db/db.ts';
import { condition } from '../db/list/condition.ts';
import * as filters from '../db/list/filters.ts';
import { knex } from '../db/query.ts';
import { defineResource } from '../db/resource.ts';
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

/**
 * The enabled clients (UUIDs) with the scope `admin`. Locks them until the transaction ends, so that two of them can't
 * disable each other. Locks them in the order of their ids, so that two transactions can't deadlock.
 */
export async function lockAdmins(trx: Db): Promise<string[]> {
  const admins = await trx.run(
    knex('api_clients')
      .whereNull('disabled_at')
      .whereRaw(`'admin' = any(scopes)`)
      .select('id')
      .orderBy('id')
      .forNoKeyUpdate(),
  );
  return admins.map(({ id }) => id);
}
