import type { Db } from '../db/db.ts';
import * as filters from '../db/list/filters.ts';
import { knex } from '../db/query.ts';
import type { Input } from '../operation.ts';
import { type AuditLogRow, auditLogColumns } from './tables.ts';

export const auditLog = {
  table: 'audit_log',
  columns: auditLogColumns,
  sortable: { created_at: 'timestamptz' },
} as const;

export const auditLogFilters: filters.FilterTable<Input<'listAuditLog'>['query']> = {
  action: filters.anyOf('action'),
  client_id: filters.refersTo('client_id', 'client'),
  actor_id: filters.refersTo('actor_id', 'client'),
  actor_user_id: filters.refersTo('actor_user_id', 'user'),
  created_from: filters.from('created_at'),
  created_to: filters.to('created_at'),
};

export async function insertAuditLogEntry(trx: Db, entry: Omit<AuditLogRow, 'created_at'>): Promise<void> {
  await trx.run(knex('audit_log').insert(entry));
}
