import { toActor } from '../events/event.ts';
import type { Schema } from '../operation.ts';
import { history } from '../resource/fields.ts';
import { toId, toNullableId } from '../values/id.ts';
import type { NoteRow } from './tables.ts';

export function toNote(row: NoteRow): Schema<'Note'> {
  return {
    id: toId('note', row.id),
    lead_id: toNullableId('lead', row.lead_id),
    contact_id: toNullableId('contact', row.contact_id),
    text: row.text,
    pinned: row.pinned,
    kind: row.kind,
    direction: row.direction,
    occurred_at: row.occurred_at,
    duration_seconds: row.duration_seconds,
    author: toActor(row),
    author_name: row.author_name,
    external_id: row.external_id,
    ...history(row),
  };
}
