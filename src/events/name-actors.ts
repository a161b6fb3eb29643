import type { Db } from '../db/db.ts';
import { findActorNames } from './actor-queries.ts';

export interface Actor {
  id: string | null;
  user_id: string | null;
}

type Named<Item extends { actor: Actor }> = Item & {
  actor: { name: string | null; user_name: string | null };
};

/** The items of a history, with the names that their actors have today. */
export async function nameActors<Item extends { actor: Actor }>(
  db: Db,
  items: readonly Item[],
): Promise<Named<Item>[]> {
  const names = await findActorNames(
    db,
    items.flatMap(({ actor }) => [actor.id, actor.user_id]),
  );
  const nameOf = (id: string | null) => (id === null ? null : (names.get(id) ?? null));
  return items.map((item) => {
    const { actor } = item;
    return { ...item, actor: { ...actor, name: nameOf(actor.id), user_name: nameOf(actor.user_id) } };
  });
}
