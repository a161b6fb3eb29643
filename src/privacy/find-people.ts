import { contactRules } from '../contacts/contact-rules.ts';
import type { ContactRow } from '../contacts/tables.ts';
import type { Db } from '../db/db.ts';
import { ConflictError } from '../db/errors.ts';
import type { RowLock } from '../db/resource.ts';
import { leadRules } from '../leads/lead-rules.ts';
import type { LeadRow } from '../leads/tables.ts';
import { toId } from '../values/id.ts';
import { findFormer, findSurvivors } from './queries.ts';

interface Former {
  /** UUID. */
  id: string;
  publicId: string;
}

interface People {
  leads: LeadRow[];
  contacts: ContactRow[];
  /** Leads and contacts that had the address before and have another one now: perhaps they are somebody else. */
  former: Former[];
}

interface Options {
  lock?: RowLock;
  /** Whether former ones are among the leads and contacts. */
  includeFormer?: boolean | undefined;
}

/** The leads and contacts with this address, as theirs or another one, or into which others with it were merged. */
export async function findPeople(
  db: Db,
  email: string,
  { lock, includeFormer = false }: Options = {},
): Promise<People> {
  const ids = await findFormer(db, email);
  const wanted = {
    email: [email],
    id: [...(await findSurvivors(db, email)), ...(includeFormer ? ids : [])],
  };
  // Leads first, as a conversion locks them.
  const leads = await leadRules.findRows(db, wanted, lock);
  const contacts = await contactRules.findRows(db, wanted, lock);
  const found = new Set([...leads, ...contacts].map(({ id }) => id));
  const left = ids.filter((id) => !found.has(id));
  const formerLeads = await leadRules.findRows(db, { id: left });
  const formerContacts = await contactRules.findRows(db, { id: left });
  const former = [
    ...formerLeads.map(({ id }) => ({ id, publicId: toId('lead', id) })),
    ...formerContacts.map(({ id }) => ({ id, publicId: toId('contact', id) })),
  ];
  return { leads, contacts, former };
}

/**
 * The same, locked against changes. While a lock is awaited, the person may get another address, a contact or be merged. Throws
 * ConflictError if there is somebody by then who is not locked.
 */
export async function lockPeople(db: Db, email: string, includeFormer: boolean | undefined): Promise<People> {
  const locked = await findPeople(db, email, { lock: 'update', includeFormer });
  const now = await findPeople(db, email, { includeFormer });
  const isLocked = new Set([...locked.leads, ...locked.contacts].map(({ id }) => id));
  if ([...now.leads, ...now.contacts].some(({ id }) => !isLocked.has(id))) throw new ConflictError();
  return now;
}
