import * as filters from '../../db/list/filters.ts';
import type { ListSource } from '../../db/list/page.ts';
import { sql } from '../../db/query.ts';
import { defineResource, uniqueExternalId } from '../../db/resource.ts';
import { actorFilters } from '../../events/queries.ts';
import type { Input } from '../../operation.ts';
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

export const noteFilters: filters.FilterTable<Input<'listLeadNotes'>['query']> = {
  pinned: filters.equals('pinned'),
  ...filters.dateFilters,
};

export const allNotesFilters: filters.FilterTable<Input<'listNotes'>['query']> = {
  ...noteFilters,
  author_id: filters.indexed(actorFilters.actor_id),
  author_user_id: filters.indexed(actorFilters.actor_user_id),
};
