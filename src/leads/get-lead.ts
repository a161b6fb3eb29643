import { toUuid } from '../db/id.ts';
import { etag } from '../http/conditional.ts';
import type { Input, OperationContext, Result } from '../http/operation.ts';
import { notFound } from '../http/problem.ts';
import { toLead } from './lead.ts';
import { findLead } from './queries.ts';

export async function getLead(
  { path }: Input<'getLead'>,
  { db }: OperationContext,
): Promise<Result<'getLead'>> {
  const id = toUuid('lead', path.id);
  const row = id === undefined ? undefined : await findLead(db, id);
  if (row === undefined) throw notFound(`The lead ${path.id}`);
  return { status: 200, headers: { ETag: etag(row.version) }, body: { data: toLead(row) } };
}
