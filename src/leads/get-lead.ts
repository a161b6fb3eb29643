import { ok } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { find } from '../resource/rows.ts';
import { toLead } from './lead.ts';
import { leads } from './queries.ts';

export async function getLead(
  { path }: Input<'getLead'>,
  { db }: OperationContext,
): Promise<Result<'getLead'>> {
  return ok(toLead(await find(db, leads, path.id)));
}
