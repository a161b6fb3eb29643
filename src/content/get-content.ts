import { ok } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { find } from '../resource/rows.ts';
import { toContentWithBody } from './content.ts';
import { contents } from './queries.ts';

export async function getContent(
  { path }: Input<'getContent'>,
  { db }: OperationContext,
): Promise<Result<'getContent'>> {
  return ok(toContentWithBody(await find(db, contents, path.id)));
}
