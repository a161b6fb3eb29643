import { toId } from '../db/id.ts';
import { recordChanges } from '../events/record-change.ts';
import type { Recorder } from '../events/record-events.ts';
import { toLead } from './lead.ts';
import { unlinkSome } from './queries.ts';

/** So many at once: a contact may have any number of leads. */
const BATCH = 500;

/** Takes a contact (uuid) that is about to be deleted from all of its leads. */
export async function unlinkContact(contactId: string, recorder: Recorder): Promise<void> {
  const contact_id = toId('contact', contactId);
  for (let count = BATCH; count === BATCH; ) {
    const leads = await unlinkSome(recorder.db, contactId, BATCH);
    const changes = leads.map((lead) => {
      const after = toLead(lead);
      return { id: lead.id, before: { ...after, contact_id }, after };
    });
    await recordChanges(recorder, 'lead', changes);
    count = leads.length;
  }
}
