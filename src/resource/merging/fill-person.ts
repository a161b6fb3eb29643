import type { PersonRow } from '../../db/tables.ts';
import { merged } from '../fields.ts';

/** What leads and contacts have in common after a merge: the other one's values where the one that stays has none. */
export function fillPerson(stays: PersonRow<string | null>, other: PersonRow<string | null>) {
  return { ...merged(stays, other), assigned_user_id: stays.assigned_user_id ?? other.assigned_user_id };
}
