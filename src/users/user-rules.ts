import { prepareInsertMany, prepareMatching, prepareUpdateMany, runAll } from '../db/many-rows.ts';
import type { Schema } from '../operation.ts';
import type { Rules } from '../resource/rules.ts';
import { newUuid } from '../values/id.ts';
import { users } from './queries.ts';
import type { UserRow } from './tables.ts';
import { toUser } from './user.ts';

const matching = prepareMatching(users);
const insertMany = prepareInsertMany(users);
const updateMany = prepareUpdateMany(users);

interface UserTypes {
  kind: 'user';
  row: UserRow;
  new: Schema<'CreateUser'>;
  patch: Schema<'UpdateUser'>;
  references: undefined;
}

export const userRules: Rules<UserTypes> = {
  kind: 'user',
  resource: users,
  toObject: toUser,
  // Users have no metadata, which is added to whatever a merge patch creates.
  checkNew: (checkBody, { metadata: _none, ...fields }: { metadata?: unknown }) =>
    checkBody('createUser', fields),
  lockReferences: async () => undefined,
  toRow: ({ name, email, active }) => ({ id: newUuid(), name, email, active }),
  patch: (_before, fields) => fields,
  // A user has no empty fields.
  merge: () => ({}),
  findRows: (db, wanted, lock) => db.run(matching(wanted, lock)),
  insertRows: (rows, { db }) => runAll(db, insertMany(rows)),
  updateRows: (changes, { db }) => runAll(db, updateMany(changes)),
};
