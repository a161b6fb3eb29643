import { randomUUID } from 'node:crypto';
import { system } from '../actor.ts';
import { toContact } from '../contacts/contact.ts';
import type { Db } from '../db/db.ts';
import { type NewEvent, recordEvents } from '../events/record-events.ts';
import { toLead } from '../leads/lead.ts';
import { takeDueContacts, takeDueLeads } from './queries.ts';

/** Events per transaction. Few, so that it holds its rows only briefly. */
const BATCH = 500;

/** Records an event for each next step whose time has come. Several processes may do so at once. */
export async function tellDue(db: Db): Promise<void> {
  for (let told = BATCH; told === BATCH; ) told = await tell(db, dueLeads);
  for (let told = BATCH; told === BATCH; ) told = await tell(db, dueContacts);
}

/** All or nothing: a step that was taken without its event would never be told. */
function tell(db: Db, due: (trx: Db) => Promise<NewEvent[]>): Promise<number> {
  return db.transaction(async (trx) => {
    const events = await due(trx);
    await recordEvents({ db: trx, actor: system, requestId: randomUUID() }, events);
    return events.length;
  });
}

async function dueLeads(trx: Db): Promise<NewEvent[]> {
  const rows = await takeDueLeads(trx, BATCH);
  return rows.map((row) => ({ type: 'lead.next_step_due', object: toLead(row) }));
}

async function dueContacts(trx: Db): Promise<NewEvent[]> {
  const rows = await takeDueContacts(trx, BATCH);
  return rows.map((row) => ({ type: 'contact.next_step_due', object: toContact(row) }));
}
