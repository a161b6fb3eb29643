import * as filters from '../db/list/filters.ts';
import type { ListSource } from '../db/list/page.ts';
import { sql } from '../db/query.ts';
import { defineResource, uniqueExternalId } from '../db/resource.ts';
import { actorFilters } from '../events/queries.ts';
import type { Input } from '../operation.ts';
import { type NoteRow, noteColumns } from './tables.ts';

export const notes = defineResource<NoteRow, 'note'>({
  table: 'notes',
  prefix: 'note',
  another: 'another note',
  unique: [uniqueExternalId],
  sortable: { created_at: 'timestamptz', updated_at: 'timestamptz' },
  columns: noteColumns,
});

/** 600 bytes for what a note has besides its text. */
export const listedNotes: ListSource = { ...notes, bytes: sql`octet_length(to_json(text)::text) + 600` };

export const noteFilters: filters.FilterTable<Input<'listNotes'>['query']> = {
  lead_id: filters.indexed(filters.refersTo('lead_id', 'lead')),
  contact_id: filters.indexed(filters.refersTo('contact_id', 'contact')),
  pinned: filters.equals('pinned'),
  kind: filters.anyOf('kind'),
  direction: filters.equals('direction'),
  occurred_from: filters.from('occurred_at'),
  occurred_to: filters.to('occurred_at'),
  ...filters.dateFilters,
  author_id: filters.indexed(actorFilters.actor_id),
  author_user_id: filters.indexed(actorFilters.actor_user_id),
};
