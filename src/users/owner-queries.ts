import type { Db } from '../db/db.ts';
import { knex, prepare } from '../db/query.ts';
import type { UserRow } from './tables.ts';

export type Owner = Pick<UserRow, 'id' | 'email' | 'name' | 'active'>;

const matching = prepare<{ emails: string[]; names: string[] }, Owner>('lock_owners', ($) =>
  knex.raw(
    `select id, email, name, active from users
    where id = any(array(
      select id from users
      where lower(email) = any(array(select lower(email) from unnest(?::text[]) as email))
      union
      select id from users where name = any(?::text[])
    ))
    order by id for key share`,
    [$('emails'), $('names')],
  ),
);

/** The users with one of these email addresses or names. Locks them against deletion until the transaction ends. */
export async function lockOwners(db: Db, emails: string[], names: string[]): Promise<Owner[]> {
  return emails.length + names.length === 0 ? [] : db.run(matching({ emails, names }));
}
