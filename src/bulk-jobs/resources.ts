import { contactRules } from '../contacts/contact-rules.ts';
import { contactFilters, contacts } from '../contacts/queries.ts';
import type { Db } from '../db/db.ts';
import { filteredBy } from '../db/list/filters.ts';
import { conditionsOfLeads } from '../leads/conditions.ts';
import { leadRules } from '../leads/lead-rules.ts';
import { leads } from '../leads/queries.ts';
import { resolveReferences } from '../leads/references.ts';
import { unlinkContacts } from '../leads/unlink-contacts.ts';
import type { Input, OperationContext, Schema } from '../operation.ts';
import { resolveUser } from '../users/resolve-user.ts';

/** The fields that belong to one person, so that no job sets them for many. */
const ofOnePerson = ['name', 'email', 'phone', 'external_id'];

type Checks = Pick<OperationContext, 'checkBody'>;

/** A filter as the list's query, after it was validated. */
export type Query = Input<'exportLeads'>['query'] & Input<'exportContacts'>['query'];

/** By resource: how jobs find its rows, and how they change them. The query parameters of `list` are the filters. */
export const changeable = {
  leads: {
    source: leads,
    rules: leadRules,
    list: 'exportLeads',
    conditionsOf: conditionsOfLeads,
    checkPatch: (patch: object, { checkBody }: Checks) => checkBody('updateLead', patch),
    checkReferences: resolveReferences,
  },
  contacts: {
    source: contacts,
    rules: contactRules,
    list: 'exportContacts',
    conditionsOf: filteredBy(contactFilters),
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
