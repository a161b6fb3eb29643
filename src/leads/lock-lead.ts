import { toUuid } from '../db/id.ts';
import type { Db } from '../db/knex.ts';
import type { LeadRow } from '../db/tables.ts';
import { checkIfMatch } from '../http/conditional.ts';
import { notFound } from '../http/problem.ts';
import { lockLead } from './queries.ts';

/** The lead that is about to change, held until the transaction ends. Throws 404, or 412 when `ifMatch` is another version. */
export async function lockLeadAt(db: Db, id: string, ifMatch: string | undefined): Promise<LeadRow> {
  const uuid = toUuid('lead', id);
  const row = uuid === undefined ? undefined : await lockLead(db, uuid);
  if (row === undefined) throw notFound(`The lead ${id}`);
  checkIfMatch(ifMatch, row.version);
  return row;
}
