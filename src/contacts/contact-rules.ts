import type { Db } from '../db/db.ts';
import { prepareInsertMany, prepareMatching, prepareUpdateMany, runAll } from '../db/many-rows.ts';
import type { Schema } from '../operation.ts';
import type { ManyRules } from '../resource/many.ts';
import { type ActiveUsers, lockActiveUsers } from '../users/resolve-user.ts';
import { newContact } from './add-contact.ts';
import { mergedContact, patchedContact } from './change-contact.ts';
import { toContact } from './contact.ts';
import { removeContacts } from './delete-contact.ts';
import { contacts } from './queries.ts';
import type { ContactRow } from './tables.ts';

const matching = prepareMatching(contacts);
const insertion = prepareInsertMany(contacts);
const update = prepareUpdateMany(contacts);

/** How many contacts are written at once. */
export const contactRules: ManyRules<
  ContactRow,
  'contact',
  Schema<'CreateContact'>,
  Schema<'UpdateContact'>,
  ActiveUsers
> = {
  kind: 'contact',
  plural: 'Contacts',
  resource: contacts,
  toObject: toContact,
  lockReferences: (db: Db, items: readonly Schema<'UpdateContact'>[]) =>
    lockActiveUsers(
      db,
      items.map(({ assigned_user_id }) => assigned_user_id),
    ),
  findRows: (db, wanted, lock) => db.run(matching(wanted, lock)),
  removeRows: removeContacts,
  insertRows: (rows, { db }) => runAll(db, insertion(rows)),
  updateRows: (changes, { db }) => runAll(db, update(changes)),
  checkNew: (checkBody, fields) => checkBody('createContact', fields),
  toRow: newContact,
  patch: patchedContact,
  merge: mergedContact,
};
