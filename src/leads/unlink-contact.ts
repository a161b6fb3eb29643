import { toId } from '../db/id.ts';
import { recordChanges } from '../events/record-change.ts';
import type { Recorder } from '../events/record-events.ts';
import { toLead } from './lead.ts';
import { unlinkLeads } from './queries.ts';

/** Leads per statement. Bounded, because a contact may have any number of leads. */
const BATCH = 500;

/** Clears `contact_id` on all leads of a contact (UUID) that is about to be deleted. */
export async function unlinkContact(contactId: string, recorder: Recorder): Promise<void> {
  const contact_id = toId('contact', contactId);
  for (let count = BATCH; count === BATCH; ) {
    const leads = await unlinkLeads(recorder.db, contactId, BATCH);
    const changes = leads.map((lead) => {
      const after = toLead(lead);
      return { id: lead.id, before: { ...after, contact_id }, after };
    });
    await recordChanges(recorder, 'lead', changes);
    count = leads.length;
  }
}
