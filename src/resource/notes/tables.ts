import type { components } from '../../../generated/api.ts';
import { base, column, columnsOf } from '../../db/tables.ts';

/** A note has either a lead_id or a contact_id. */
const note = {
  ...base,
  lead_id: column<string | null>(),
  contact_id: column<string | null>(),
  text: column<string>(),
  pinned: column<boolean>(),
  actor_type: column<components['schemas']['Actor']['type']>(),
  actor_id: column<string | null>(),
  actor_user_id: column<string | null>(),
  external_id: column<string | null>(),
  /** Who wrote the note elsewhere. */
  author_name: column<string | null>(),
};

export type NoteRow = typeof note;
export const noteColumns = columnsOf(note);

declare module 'knex/types/tables.js' {
  interface Tables {
    notes: NoteRow;
  }
}
