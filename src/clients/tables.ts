import { base, column, columnsOf } from '../db/tables.ts';

const client = {
  ...base,
  name: column<string>(),
  scopes: column<string[]>(),
  secret_hash: column<Buffer>(),
  disabled_at: column<string | null>(),
};

export type ApiClientRow = typeof client;
export const clientColumns = columnsOf(client);

const apiKey = {
  ...base,
  client_id: column<string>(),
  name: column<string>(),
  scopes: column<string[]>(),
  key_hash: column<Buffer>(),
  expires_at: column<string | null>(),
  revoked_at: column<string | null>(),
};

export type ApiKeyRow = typeof apiKey;
export const apiKeyColumns = columnsOf(apiKey);

declare module 'knex/types/tables.js' {
  interface Tables {
    api_clients: ApiClientRow;
    api_keys: ApiKeyRow;
  }
}
