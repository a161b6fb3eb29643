import type { Schema } from '../operation.ts';
import { checkPast } from '../resource/past.ts';
import type { Rules } from '../resource/rules.ts';
import type { ActiveUsers } from '../users/resolve-user.ts';
import { contactRules } from './contact-rules.ts';
import type { ContactRow } from './tables.ts';

interface Past {
  created_at?: string;
}

interface ImportedContactTypes {
  kind: 'contact';
  row: ContactRow;
  new: Schema<'CreateContact'> & Past;
  patch: Schema<'UpdateContact'> & Past;
  references: ActiveUsers;
}

/** The rules of imports, which can also say when a new contact was created. */
export const contactImportRules: Rules<ImportedContactTypes> = {
  ...contactRules,
  checkNew(checkBody, { created_at, ...fields }: Past) {
    return { ...contactRules.checkNew(checkBody, fields), ...(created_at !== undefined && { created_at }) };
  },
  toRow: ({ created_at, ...fields }, references) => ({
    ...contactRules.toRow(fields, references),
    ...createdAt(created_at),
  }),
  patch: (before, { created_at, ...fields }, references) => contactRules.patch(before, fields, references),
  merge: (before, { created_at, ...fields }, references) => contactRules.merge(before, fields, references),
};

function createdAt(created_at: string | undefined): Past {
  if (created_at === undefined) return {};
  checkPast('contact', { created_at }, { created_at: 'created' }, new Date().toISOString());
  return { created_at };
}
