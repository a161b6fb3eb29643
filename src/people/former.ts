import { contactRules } from '../contacts/contact-rules.ts';
import type { Db } from '../db/db.ts';
import { leadRules } from '../leads/lead-rules.ts';
import { toId } from '../values/id.ts';
import { findFormer } from './queries.ts';

/** More leads and contacts than anybody has. */
const MAX = 1_000;

interface Former {
  /** UUID. */
  id: string;
  publicId: string;
}

/** Leads and contacts that had the address before and have another one now. */
export async function findFormerPeople(db: Db, email: string): Promise<Former[]> {
  const ids = await findFormer(db, [email.toLowerCase()], MAX);
  const others = (rows: readonly { id: string; email: string | null }[]) =>
    rows.filter((row) => row.email?.toLowerCase() !== email.toLowerCase());
  const leads = await leadRules.findRows(db, { id: ids });
  const contacts = await contactRules.findRows(db, { id: ids });
  return [
    ...others(leads).map(({ id }) => ({ id, publicId: toId('lead', id) })),
    ...others(contacts).map(({ id }) => ({ id, publicId: toId('contact', id) })),
  ];
}
