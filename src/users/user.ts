import { toId } from '../db/id.ts';
import type { UserRow } from '../db/tables.ts';
import type { Schema } from '../http/operation.ts';
import { history } from '../resource/fields.ts';

export function toUser(row: UserRow): Schema<'User'> {
  return {
    id: toId('user', row.id),
    name: row.name,
    email: row.email,
    active: row.active,
    ...history(row),
  };
}
