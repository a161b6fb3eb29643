import type { Db } from '../../db/db.ts';
import { knex, prepareShapes, type Query } from '../../db/query.ts';

export interface FoundRow {
  kind: Kind;
  id: string;
  /** The title of content. */
  name: string;
  email: string | null;
  type: string | null;
  url: string | null;
}

const person = 'id, name, email, null as type, null as url';

/** By kind: where it is, and what is shown of it. */
const sources = {
  user: `${person} from users`,
  lead: `${person} from leads`,
  contact: `${person} from contacts`,
  content: 'id, title as name, null as email, type, url from content',
};

export type Kind = keyof typeof sources;

const expanded = prepareShapes<ReadonlyMap<Kind, string>, FoundRow>('expanded');

/** Those of these UUIDs that exist. One query for all kinds, since a query costs as much as a hundred of these rows. */
export async function findExpanded(
  db: Pick<Db, 'run'>,
  uuids: ReadonlyMap<Kind, ReadonlySet<string>>,
): Promise<FoundRow[]> {
  const filled = [...uuids].filter(([, { size }]) => size > 0).sort();
  if (filled.length === 0) return [];
  const kinds = filled.map(([kind]) => kind);
  // As one text, UUIDs take less CPU than as an array.
  const values = new Map(filled.map(([kind, ids]) => [kind, [...ids].join()]));
  const query = expanded(kinds.join(), true, values, (bind) => {
    const selects = kinds.map(
      (kind) => `select '${kind}' as kind, ${sources[kind]} where id = any(string_to_array(?, ',')::uuid[])`,
    );
    const ids = kinds.map((kind) => bind((given) => given.get(kind)));
    return knex.raw(selects.join(' union all '), ids) as Query<FoundRow>;
  });
  return db.run(query);
}
