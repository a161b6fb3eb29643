import type { components } from '../../generated/api.ts';
import { base, column, columnsOf, personal } from '../db/tables.ts';

/** A note has either a lead_id or a contact_id. */
export const note = {
  ...base,
  lead_id: column<string | null>(),
  contact_id: column<string | null>(),
  text: personal<string>(),
  pinned: column<boolean>(),
  kind: column<components['schemas']['NoteKind']>(),
  direction: column<components['schemas']['NoteDirection'] | null>(),
  occurred_at: column<string>(),
  duration_seconds: column<number | null>(),
  actor_type: column<components['schemas']['Actor']['type']>(),
  actor_id: column<string | null>(),
  actor_user_id: column<string | null>(),
  external_id: personal<string | null>(),
  /** Who wrote the note elsewhere. */
  author_name: personal<string | null>(),
};

export type NoteRow = typeof note;
export const noteColumns = columnsOf(note);

declare module 'knex/types/tables.js' {
  interface Tables {
    notes: NoteRow;
  }
}
