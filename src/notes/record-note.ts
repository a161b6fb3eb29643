import { type NewEvent, type Recorder, recordEvents } from '../events/record-events.ts';
import type { NoteRow } from './tables.ts';

/** Records events of a note. They are part of the history of its lead or contact, and are erased with it. */
export async function recordNote(
  recorder: Recorder,
  { lead_id, contact_id }: NoteRow,
  events: readonly NewEvent[],
): Promise<void> {
  const about = lead_id ?? contact_id ?? undefined;
  await recordEvents(
    recorder,
    events.map((event) => ({ ...event, about })),
  );
}
