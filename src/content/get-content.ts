import type { Input, OperationContext, Result } from '../http/operation.ts';
import { ok } from '../http/responses.ts';
import { find } from '../resource/rows.ts';
import { toContentWithBody } from './content.ts';
import { contents } from './queries.ts';

export async function getContent(
  { path }: Input<'getContent'>,
  { db }: OperationContext,
): Promise<Result<'getContent'>> {
  return ok(toContentWithBody(await find(db, contents, path.id)));
}
