import { prepareInsertMany, prepareMatching, prepareUpdateMany, runAll } from '../db/many-rows.ts';
import type { Schema } from '../operation.ts';
import { insertOrThrow, updateOrThrow } from '../resource/rows.ts';
import type { SingleRules } from '../resource/rules.ts';
import { type ActiveUsers, lockActiveUsers } from '../users/resolve-user.ts';
import { toContact } from './contact.ts';
import { contacts } from './queries.ts';
import type { ContactRow } from './tables.ts';
import { mergedContact, newContact, patchedContact } from './write-contact.ts';

const matching = prepareMatching(contacts);
const insertMany = prepareInsertMany(contacts);
const updateMany = prepareUpdateMany(contacts);

interface ContactTypes {
  kind: 'contact';
  row: ContactRow;
  new: Schema<'CreateContact'>;
  patch: Schema<'UpdateContact'>;
  references: ActiveUsers;
}

export const contactRules: SingleRules<ContactTypes> = {
  kind: 'contact',
  resource: contacts,
  toObject: toContact,
  checkNew: (checkBody, fields) => checkBody('createContact', fields),
  lockReferences: (db, items, assignable) =>
    lockActiveUsers(
      db,
      items.map(({ assigned_user_id }) => assigned_user_id),
      assignable,
    ),
  toRow: newContact,
  patch: patchedContact,
  merge: mergedContact,
  insertRow: (row, writer) => insertOrThrow(writer, contacts, row),
  updateRow: (before, values, writer) => updateOrThrow(writer, contacts, before, values),
  findRows: (db, wanted, lock) => db.run(matching(wanted, lock)),
  insertRows: (rows, { db }) => runAll(db, insertMany(rows)),
  updateRows: (changes, { db }) => runAll(db, updateMany(changes)),
};
