import type { Db } from '../../db/db.ts';
import type { Principal } from '../../principal.ts';
import { hasScope, insufficientScope } from '../../scopes.ts';
import { toId } from '../../values/id.ts';
import { type FoundRow, findExpanded, type Kind } from './queries.ts';

/** The columns of rows that have ids to expand. */
interface IdColumns {
  assigned_user_id?: string | null;
  author_user_id?: string | null;
  /** The author of a note. */
  actor_user_id?: string | null;
  lead_id?: string | null;
  contact_id?: string | null;
  content_id?: string | null;
}

interface Expansion {
  kind: Kind;
  scope: string;
  idOf(row: IdColumns): string | null | undefined;
}

/** By the name of the field that is added. No resource has two of the same kind. */
const expansions = {
  assigned_user: { kind: 'user', scope: 'users:read', idOf: (row) => row.assigned_user_id },
  author_user: {
    kind: 'user',
    scope: 'users:read',
    idOf: (row) => row.author_user_id ?? row.actor_user_id,
  },
  lead: { kind: 'lead', scope: 'leads:read', idOf: (row) => row.lead_id },
  contact: { kind: 'contact', scope: 'contacts:read', idOf: (row) => row.contact_id },
  content: { kind: 'content', scope: 'content:read', idOf: (row) => row.content_id },
} satisfies Record<string, Expansion>;

type ExpandName = keyof typeof expansions;

/** The query of an operation that may have `expand`. */
export interface ExpandQuery {
  expand?: readonly ExpandName[];
}

/**
 * A function that adds what `expand` asks for to the items that show these rows: with one query, whatever the number of rows and
 * names. Throws 403 without a scope for it.
 */
export function expander({ principal }: { principal: Principal }, { expand: names = [] }: ExpandQuery) {
  for (const name of names) {
    const { scope } = expansions[name];
    if (hasScope(principal, scope)) continue;
    throw insufficientScope(principal, `expand=${name} needs the scope ${scope}`, scope);
  }
  return async (db: Pick<Db, 'run'>, rows: readonly unknown[], items: readonly unknown[]): Promise<void> => {
    if (names.length > 0) await expandAll(db, names, rows as IdColumns[], items as Record<string, unknown>[]);
  };
}

async function expandAll(
  db: Pick<Db, 'run'>,
  names: readonly ExpandName[],
  rows: readonly IdColumns[],
  items: readonly Record<string, unknown>[],
): Promise<void> {
  const uuids = new Map(
    names.map((name) => {
      const { kind, idOf }: Expansion = expansions[name];
      return [kind, new Set(rows.flatMap((row) => idOf(row) ?? []))];
    }),
  );
  const found = await findExpanded(db, uuids);
  const shown = new Map(found.map((row) => [row.id, toShown(row)]));
  for (const name of names) {
    const { idOf }: Expansion = expansions[name];
    for (const [index, item] of items.entries()) {
      item[name] = shown.get(idOf(rows[index] ?? {}) ?? '') ?? null;
    }
  }
}

function toShown({ kind, id, name, email, type, url }: FoundRow) {
  if (kind === 'content') return { id: toId(kind, id), title: name, type, url };
  return { id: toId(kind, id), name, email };
}

/** The columns of a file: of what can be expanded, only what `expand` asks for, without the ids that stand beside. */
export function expandedColumns(columns: readonly string[], expand: readonly string[] = []): string[] {
  return columns.filter((column) => {
    const [name = '', member] = column.split('.');
    return !(name in expansions) || (expand.includes(name) && member !== 'id');
  });
}

/** The fields that the client wants, with those that it expands: each after its id, or else last. */
export function withExpanded(
  fields: readonly string[] | undefined,
  expand: readonly string[] = [],
): readonly string[] | undefined {
  if (fields === undefined) return undefined;
  const besides = (field: string) => expand.filter((name) => field === `${name}_id`);
  return [...new Set([...fields.flatMap((field) => [field, ...besides(field)]), ...expand])];
}
