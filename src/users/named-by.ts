import type { Db } from '../db/db.ts';
import { toId } from '../values/id.ts';
import { findNaming } from './queries.ts';

/** The ids of the inbound hooks and API clients that name the user: nobody takes these over by a reassignment. */
export async function namesOf(db: Db, userId: string): Promise<string[]> {
  const rows = await findNaming(db, userId);
  return rows.map(({ kind, id }) => toId(kind, id));
}
