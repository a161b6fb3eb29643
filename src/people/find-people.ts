import { contactRules } from '../contacts/contact-rules.ts';
import type { ContactRow } from '../contacts/tables.ts';
import type { Db } from '../db/db.ts';
import type { RowLock } from '../db/resource.ts';
import { leadRules } from '../leads/lead-rules.ts';
import type { LeadRow } from '../leads/tables.ts';
import { toId } from '../values/id.ts';
import { findFormer, findMergedWith } from './queries.ts';

/** More leads and contacts than anybody has. */
const MAX_FORMER = 1_000;

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
  includeFormer?: boolean;
}

/** The leads and contacts with this address, or into which others with it were merged. */
export async function findPeople(
  db: Db,
  email: string,
  { lock, includeFormer = false }: Options = {},
): Promise<People> {
  const ids = await findFormer(db, email, MAX_FORMER);
  const wanted = {
    email: [email],
    id: [...(await findMergedWith(db, email)), ...(includeFormer ? ids : [])],
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
