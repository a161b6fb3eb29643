import type { Schema } from '../operation.ts';
import { history, personFields } from '../resource/fields.ts';
import { toId } from '../values/id.ts';
import type { ContactRow } from './tables.ts';

export function toContact(row: ContactRow): Schema<'Contact'> {
  return {
    id: toId('contact', row.id),
    ...personFields(row),
    title: row.title,
    ...history(row),
  };
}
