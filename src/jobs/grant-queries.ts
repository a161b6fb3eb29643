import { type Db, first } from '../db/db.ts';
import { knex, prepare } from '../db/query.ts';
import type { GrantColumns } from './tables.ts';

interface State {
  scopes: string[];
  is_disabled: boolean;
  /** Null without a key. */
  key_scopes: string[] | null;
  is_revoked: boolean | null;
  is_active: boolean | null;
}

const state = prepare<GrantColumns, State>('state_of_grant', ($) =>
  knex.raw(
    `select client.scopes, client.disabled_at is not null as is_disabled, key.scopes as key_scopes,
       key.revoked_at is not null as is_revoked, acting.active as is_active
     from api_clients client
     left join api_keys key on key.id = ?::uuid
     left join users acting on acting.id = ?::uuid
     where client.id = ?::uuid`,
    [$('key_id'), $('actor_user_id'), $('actor_id')],
  ),
);

/** What the client, the key and the user may do now. Undefined if there is no such client. */
export function findState(db: Db, grant: GrantColumns): Promise<State | undefined> {
  return first(db, state(grant));
}
