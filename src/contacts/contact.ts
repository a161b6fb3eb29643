import { toId } from '../db/id.ts';
import type { Schema } from '../http/operation.ts';
import { history, person } from '../resource/fields.ts';
import type { ContactRow } from './tables.ts';

export function toContact(row: ContactRow): Schema<'Contact'> {
  return {
    id: toId('contact', row.id),
    ...person(row),
    title: row.title,
    ...history(row),
  };
}
