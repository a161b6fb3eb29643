import { contactRules } from '../../contacts/contact-rules.ts';
import type { Db } from '../../db/db.ts';
import { leadRules } from '../../leads/lead-rules.ts';
import { invalidField } from '../../problem.ts';
import { addSurvivors } from '../../resource/add-merges.ts';
import { KnownRows } from '../../resource/known-rows.ts';
import type { PersonTypes, SingleRules } from '../../resource/rules.ts';
import { readEmails } from '../../spellings/email.ts';
import { toUuid } from '../../values/id.ts';

/** What a row of notes says about the lead or contact that its note is about. */
const ownerFields = {
  lead_id: { kind: 'lead', column: 'id' },
  lead_external_id: { kind: 'lead', column: 'external_id' },
  lead_email: { kind: 'lead', column: 'email' },
  contact_id: { kind: 'contact', column: 'id' },
  contact_external_id: { kind: 'contact', column: 'external_id' },
  contact_email: { kind: 'contact', column: 'email' },
} as const;

type OwnerField = keyof typeof ownerFields;
const fieldNames = Object.keys(ownerFields) as OwnerField[];

export type OwnerFields = Partial<Record<OwnerField, string>>;

/** UUIDs, as in the table. */
export interface NoteOwner {
  lead_id: string | null;
  contact_id: string | null;
}

/** Finds the lead or contact of a row by the first of these fields that it has. Throws 422 if there is none. */
type FindOwner = (row: OwnerFields) => NoteOwner;

/** Locks the leads and contacts, so that nobody can delete them before their notes are committed. */
export async function lockOwners(db: Db, rows: readonly OwnerFields[]): Promise<FindOwner> {
  const leads = await lockKnown(db, leadRules, 'lead', rows);
  const contacts = await lockKnown(db, contactRules, 'contact', rows);
  return (row) => {
    const field = fieldNames.find((name) => row[name] !== undefined);
    if (field === undefined) {
      throw invalidField(
        'lead_external_id',
        `A note needs a lead or a contact: one of ${fieldNames.join(', ')}.`,
      );
    }
    const { kind, column } = ownerFields[field];
    const value = keyIn(field, row);
    const known = kind === 'lead' ? leads : contacts;
    const owner =
      value === undefined
        ? undefined
        : (known.find(column, value) ?? (column === 'email' ? known.findSurvivor(value) : undefined));
    if (owner === undefined) throw invalidField(field, `There is no ${kind} with this ${words[column]}.`);
    return { lead_id: kind === 'lead' ? owner.id : null, contact_id: kind === 'contact' ? owner.id : null };
  };
}

const words = { id: 'id', external_id: 'external id', email: 'email address' };

/** Ids as UUIDs, and emails without a name. */
function keyIn(field: OwnerField, row: OwnerFields): string | undefined {
  const { kind, column } = ownerFields[field];
  const value = row[field];
  if (value === undefined || column === 'external_id') return value;
  return column === 'id' ? toUuid(kind, value) : (readEmails(value).value ?? value);
}

async function lockKnown<T extends PersonTypes>(
  db: Db,
  rules: SingleRules<T>,
  kind: 'lead' | 'contact',
  rows: readonly OwnerFields[],
): Promise<KnownRows<T['row']>> {
  const { resource, findRows } = rules;
  const fields = fieldNames.filter((name) => ownerFields[name].kind === kind);
  const wanted = Object.fromEntries(
    fields.map((field) => [
      ownerFields[field].column,
      [...new Set(rows.map((row) => keyIn(field, row)))].filter((value) => value !== undefined),
    ]),
  );
  const known = new KnownRows<T['row']>(resource);
  if (Object.values(wanted).every(({ length }) => length === 0)) return known;
  for (const row of await findRows(db, wanted, 'key share')) known.add(row);
  await addSurvivors(db, rules, wanted, known, 'key share');
  return known;
}
