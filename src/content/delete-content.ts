import { recordDeleted } from '../events/record-change.ts';
import { noContent } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { deleteOrThrow } from '../resource/rows.ts';
import { contents } from './queries.ts';

export async function deleteContent(
  input: Input<'deleteContent'>,
  context: OperationContext,
): Promise<Result<'deleteContent'>> {
  const { id } = await deleteOrThrow(context.db, contents, input, {
    code: 'content_in_use',
    message: 'This content has leads or inbound hooks. Archive it instead.',
    constraints: ['leads_content_id_fkey', 'inbound_hooks_content_id_fkey'],
  });
  await recordDeleted(context, 'content', id);
  return noContent;
}
