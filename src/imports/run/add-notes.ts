import type { Writer } from '../../resource/rules.ts';
import { toId } from '../../values/id.ts';
import { type NoteFields, writeNotes } from '../notes/write-notes.ts';
import type { ImportOptions } from '../tables.ts';
import type { Checks } from './check-bodies.ts';
import type { Tried } from './write-rows.ts';

/** Adds each row's note to its lead or contact. Repeating an import adds no note twice. */
export async function addNotes(
  { resource, on_duplicate }: Pick<ImportOptions, 'resource' | 'on_duplicate'>,
  outcomes: readonly Tried[],
  texts: readonly (string | undefined)[],
  context: Writer & Checks,
): Promise<void> {
  const notes = outcomes.flatMap((outcome, index): NoteFields[] => {
    const text = texts[index];
    if (text === undefined || !('row' in outcome)) return [];
    if (on_duplicate === 'ignore' && outcome.status !== 'created') return [];
    const { id } = outcome.row;
    const owner = resource === 'leads' ? { lead_id: toId('lead', id) } : { contact_id: toId('contact', id) };
    return [{ ...owner, text }];
  });
  if (notes.length === 0) return;
  for (const written of await writeNotes(notes, 'ignore', context)) {
    if (written.status === 'failed') throw written.error;
  }
}
