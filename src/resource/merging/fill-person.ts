import type { PersonRow } from '../../db/tables.ts';
import { merged } from '../fields.ts';

/** What leads and contacts have in common after a merge: the other one's values where the one that stays has none. */
export function fillPerson(stays: PersonRow<string | null>, other: PersonRow<string | null>) {
  const other_emails = [other.email ?? [], other.other_emails].flat();
  return {
    ...merged(stays, { ...other, other_emails }),
    assigned_user_id: stays.assigned_user_id ?? other.assigned_user_id,
  };
}
