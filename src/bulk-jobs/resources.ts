import { contactRules } from '../contacts/contact-rules.ts';
import { contacts } from '../contacts/queries.ts';
import type { Db } from '../db/db.ts';
import { leadRules } from '../leads/lead-rules.ts';
import { leads } from '../leads/queries.ts';
import { resolveReferences } from '../leads/references.ts';
import { unlinkContacts } from '../leads/unlink-contacts.ts';
import type { OperationContext, Schema } from '../operation.ts';
import { resolveUser } from '../users/resolve-user.ts';

/** The fields that belong to one person, so that no job sets them for many. */
const ofOnePerson = ['name', 'email', 'other_emails', 'phone', 'external_id'];

type Checks = Pick<OperationContext, 'checkBody'>;

/** By resource: where its rows are, and how jobs change them. */
export const changeable = {
  leads: {
    source: leads,
    rules: leadRules,
    checkPatch: (patch: object, { checkBody }: Checks) => checkBody('updateLead', patch),
    checkReferences: resolveReferences,
  },
  contacts: {
    source: contacts,
    rules: contactRules,
    checkPatch: (patch: object, { checkBody }: Checks) => checkBody('updateContact', patch),
    checkReferences: (db: Db, { assigned_user_id }: Schema<'UpdateContact'>) =>
      resolveUser(db, 'assigned_user_id', assigned_user_id),
    unlink: unlinkContacts,
  },
} as const;

/** The fields of a patch that would give many rows what belongs to one person. */
export function personalFields(patch: object): string[] {
  return Object.entries(patch).flatMap(([field, value]) =>
    ofOnePerson.includes(field) && value !== null ? [field] : [],
  );
}
