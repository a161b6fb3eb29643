import type { Schema } from '../operation.ts';
import { history } from '../resource/fields.ts';
import { toId } from '../values/id.ts';
import type { UserRow } from './tables.ts';

export function toUser(row: UserRow): Schema<'User'> {
  return {
    id: toId('user', row.id),
    name: row.name,
    email: row.email,
    active: row.active,
    external_id: row.external_id,
    metadata: row.metadata,
    ...history(row),
  };
}
