import { base, column, columnsOf, personal } from '../db/tables.ts';

export const user = {
  ...base,
  name: personal<string>(),
  email: personal<string>(),
  active: column<boolean>(),
  external_id: personal<string | null>(),
  metadata: personal<Record<string, string>>(),
};

export type UserRow = typeof user;
export const userColumns = columnsOf(user);

declare module 'knex/types/tables.js' {
  interface Tables {
    users: UserRow;
  }
}
