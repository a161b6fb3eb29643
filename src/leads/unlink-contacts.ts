import { updatedEvents } from '../events/record-change.ts';
import { type Recorder, recordEvents } from '../events/record-events.ts';
import { toId } from '../values/id.ts';
import { toLead } from './lead.ts';
import { relinkLeads } from './queries.ts';

/** Leads per statement. A contact may have any number of leads. */
const BATCH = 500;

/** Clears `contact_id` on all leads of contacts (UUIDs) that will be deleted next. */
export async function unlinkContacts(contactIds: string[], recorder: Recorder): Promise<void> {
  await relink(contactIds, null, recorder);
}

/** Links all leads of a contact (UUID) to another one, which is locked. */
export async function moveLeads(from: string, to: string, recorder: Recorder): Promise<void> {
  await relink([from], to, recorder);
}

async function relink(contactIds: string[], to: string | null, recorder: Recorder): Promise<void> {
  for (let count = BATCH; count === BATCH; ) {
    const rows = await relinkLeads(recorder.db, { contactIds, to, limit: BATCH });
    const events = rows.flatMap((row) => {
      const lead = toLead(row);
      return updatedEvents('lead', { ...lead, contact_id: toId('contact', row.unlinked_from) }, lead);
    });
    await recordEvents(recorder, events);
    count = rows.length;
  }
}
