import type { Knex } from 'knex';

/** True when the user exists and is active; holds the row, so that it stays so until the transaction ends. */
export async function lockActiveUser(db: Knex, id: string): Promise<boolean> {
  const user = await db('users').where({ id }).forShare().first('active');
  return user?.active ?? false;
}
