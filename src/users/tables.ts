import { base, column, columnsOf } from '../db/tables.ts';

const user = {
  ...base,
  name: column<string>(),
  email: column<string>(),
  active: column<boolean>(),
  external_id: column<string | null>(),
  metadata: column<Record<string, string>>(),
};

export type UserRow = typeof user;
export const userColumns = columnsOf(user);

declare module 'knex/types/tables.js' {
  interface Tables {
    users: UserRow;
  }
}
