import { toId } from '../db/id.ts';
import type { Db } from '../db/knex.ts';
import { erase } from './queries.ts';

/**
 * Takes a lead or contact that is deleted out of all that was stored of it: events, stored answers, and what webhooks'
 * receivers said. Ids, types and times stay, so what is left has the shape that the contract promises.
 */
export async function erasePerson(db: Db, kind: 'lead' | 'contact', id: string): Promise<void> {
  const publicId = toId(kind, id);
  await erase(db, { id, publicId, email: `${publicId}@erased.invalid` });
}
