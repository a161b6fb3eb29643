import { toId } from '../db/id.ts';
import { updatedEvents } from '../events/record-change.ts';
import { type Recorder, recordEvents } from '../events/record-events.ts';
import { toLead } from './lead.ts';
import { unlinkLeads } from './queries.ts';

/** Leads per statement. Bounded, because a contact may have any number of leads. */
const BATCH = 500;

/** Clears `contact_id` on all leads of a contact (UUID) that is about to be deleted. */
export async function unlinkContact(contactId: string, recorder: Recorder): Promise<void> {
  const contact_id = toId('contact', contactId);
  for (let count = BATCH; count === BATCH; ) {
    const leads = await unlinkLeads(recorder.db, contactId, BATCH);
    const events = leads.map(toLead).flatMap((lead) => updatedEvents('lead', { ...lead, contact_id }, lead));
    await recordEvents(recorder, events);
    count = leads.length;
  }
}
