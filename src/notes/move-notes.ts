import { updatedEvents } from '../events/record-change.ts';
import { type Recorder, recordEvents } from '../events/record-events.ts';
import { toId } from '../values/id.ts';
import { type Move, moveSome } from './move-queries.ts';
import { toNote } from './note.ts';
import { type Owner, ownerColumn } from './owner.ts';

/** Notes per statement. A lead may have any number of notes. */
const BATCH = 500;

/** Moves the notes of a lead or contact to another one, which is locked. They keep their authors and times. */
export async function moveNotes(owner: Owner, { from, to }: Move, recorder: Recorder): Promise<void> {
  const column = ownerColumn(owner);
  for (let count = BATCH; count === BATCH; ) {
    const rows = await moveSome(recorder.db, column, { from, to, limit: BATCH });
    const events = rows.flatMap((row) => {
      const note = toNote(row);
      return updatedEvents('note', { ...note, [column]: toId(owner.prefix, from) }, note);
    });
    await recordEvents(
      recorder,
      events.map((event) => ({ ...event, about: to })),
    );
    count = rows.length;
  }
}
