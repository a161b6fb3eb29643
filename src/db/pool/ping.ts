import type { Db } from '../db.ts';
import { knex } from '../query.ts';

/** Resolves if the database answers. */
export async function ping(db: Db): Promise<void> {
  await db.run(knex.raw('select 1'));
}
