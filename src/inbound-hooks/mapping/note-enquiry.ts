import { lockRow } from '../../db/resource.ts';
import { recordEvents } from '../../events/record-events.ts';
import { toLead } from '../../leads/lead.ts';
import { leads } from '../../leads/queries.ts';
import { addNote } from '../../notes/add-note.ts';
import { changeNote } from '../../notes/change-note.ts';
import { notes } from '../../notes/queries.ts';
import type { OperationContext } from '../../operation.ts';
import type { Leftover } from './note-text.ts';
import type { StoredLead } from './store-lead.ts';

/** What an earlier processing of the same delivery led to. */
export interface Earlier {
  status: string;
  lead_id: string | null;
  note_id: string | null;
}

/** Fields in which an enquiry may say something new about a known person. */
const TOLD = ['name', 'email', 'phone', 'company'] as const;

/** What an enquiry says about a known lead that the lead itself does not take over. */
export function differencesOf({ status, lead, row }: StoredLead): Leftover[] {
  if (status === 'created') return [];
  return TOLD.flatMap((field) => {
    const text = lead[field] ?? '';
    return text === '' || sameText(text, row[field] ?? '') ? [] : [{ field, text }];
  });
}

function sameText(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Adds the note about the lead, or changes the one that the delivery had already made. Returns its id (UUID), if any. */
export async function noteAbout(
  row: StoredLead['row'],
  text: string | undefined,
  earlier: Earlier | undefined,
  context: OperationContext,
): Promise<string | null> {
  const noteId = earlier?.lead_id === row.id ? earlier.note_id : null;
  if (text === undefined) return noteId;
  const note = noteId === null ? undefined : await lockRow(context.db, notes, noteId, 'no key update');
  if (note !== undefined) await changeNote(note, { text }, context);
  return (
    note?.id ?? (await addNote(leads, row.id, { text, kind: 'message', direction: 'inbound' }, context)).id
  );
}

/** Records that a known person has written again. */
export async function recordEnquiry(row: StoredLead['row'], context: OperationContext): Promise<void> {
  await recordEvents(context, [{ type: 'lead.returned', object: toLead(row) }]);
}
