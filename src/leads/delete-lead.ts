import type { Input, OperationContext, Result } from '../http/operation.ts';
import { lockLeadAt } from './lock-lead.ts';
import { deleteLeadRow } from './queries.ts';

/** Permanent: its status changes go with it. */
export async function deleteLead(
  { path, headers }: Input<'deleteLead'>,
  { db }: OperationContext,
): Promise<Result<'deleteLead'>> {
  const lead = await lockLeadAt(db, path.id, headers['if-match']);
  await deleteLeadRow(db, lead.id);
  return { status: 204, body: undefined };
}
