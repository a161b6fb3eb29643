import { prepareInsertMany, prepareMatching, prepareUpdateMany, runAll } from '../db/many-rows.ts';
import type { Schema } from '../operation.ts';
import { fillMissing, patchMetadata } from '../resource/fields.ts';
import { insertOrThrow, updateOrThrow } from '../resource/rows.ts';
import type { SingleRules } from '../resource/rules.ts';
import { newUuid } from '../values/id.ts';
import { mergeMap } from '../values/merge-patch.ts';
import { users } from './queries.ts';
import type { UserRow } from './tables.ts';
import { toUser } from './user.ts';

const matching = prepareMatching(users);
const insertMany = prepareInsertMany(users);
const updateMany = prepareUpdateMany(users);

export interface UserTypes {
  kind: 'user';
  row: UserRow;
  new: Schema<'CreateUser'>;
  patch: Schema<'UpdateUser'>;
  references: undefined;
}

export const userRules: SingleRules<UserTypes> = {
  kind: 'user',
  resource: users,
  toObject: toUser,
  checkNew: (checkBody, fields) => checkBody('createUser', fields),
  lockReferences: async () => undefined,
  toRow: ({ name, email, active, external_id = null, metadata = {} }) => ({
    id: newUuid(),
    name,
    email,
    active,
    external_id,
    metadata,
  }),
  patch: ({ metadata }, patch) => ({ ...patch, metadata: patchMetadata(metadata, patch.metadata) }),
  merge: ({ external_id, metadata }, more) => ({
    external_id: external_id ?? more.external_id ?? null,
    metadata: fillMissing(metadata, mergeMap({}, more.metadata)),
  }),
  insertRow: (row, writer) => insertOrThrow(writer, users, row),
  updateRow: (before, values, writer) => updateOrThrow(writer, users, before, values),
  findRows: (db, wanted, lock) => db.run(matching(wanted, lock)),
  insertRows: (rows, { db }) => runAll(db, insertMany(rows)),
  updateRows: (changes, { db }) => runAll(db, updateMany(changes)),
};
