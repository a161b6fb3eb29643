import type { Author } from '../audit-log/log-act.ts';
import { recordAct } from '../audit-log/record-act.ts';
import { updateRow } from '../db/resource.ts';
import { NOW } from '../db/row-statements.ts';
import { apiKeys } from './queries.ts';
import type { ApiKeyRow } from './tables.ts';

/** Revokes a locked key. If it was already revoked, the original time stays. */
export async function revokeKey(author: Author, key: ApiKeyRow): Promise<ApiKeyRow> {
  if (key.revoked_at !== null) return key;
  const row = await updateRow(author.db, apiKeys, key.id, { revoked_at: NOW });
  await recordAct(author, 'key.revoked', keySubject(row));
  return row;
}

/** How the audit log names a key. */
export function keySubject({ id, client_id, name, scopes }: ApiKeyRow) {
  return { client_id, key_id: id, name, scopes };
}
