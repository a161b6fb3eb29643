import type { Db } from '../db/db.ts';
import { knex, prepare } from '../db/query.ts';
import { anyUuid, toId } from '../values/id.ts';

const names = prepare<{ clients: string[]; hooks: string[]; users: string[] }, Named>('actor_names', ($) =>
  knex.raw(
    `select 'client' as kind, id, name from api_clients where id = any(?::uuid[])
    union all select 'hook', id, name from inbound_hooks where id = any(?::uuid[])
    union all select 'user', id, name from users where id = any(?::uuid[])`,
    [$('clients'), $('hooks'), $('users')],
  ),
);

interface Named {
  kind: 'client' | 'hook' | 'user';
  id: string;
  name: string;
}

/** The names of clients, hooks and users, by public id. Those that are gone have none. */
export async function findActorNames(db: Db, ids: Iterable<string | null>): Promise<Map<string, string>> {
  const all = [...new Set(ids)].filter((id) => id !== null);
  if (all.length === 0) return new Map();
  const uuids = (prefix: string) =>
    all.filter((id) => id.startsWith(prefix)).flatMap((id) => anyUuid(id) ?? []);
  const rows = await db.run(
    names({ clients: uuids('client_'), hooks: uuids('hook_'), users: uuids('user_') }),
  );
  return new Map(rows.map(({ kind, id, name }) => [toId(kind, id), name]));
}
