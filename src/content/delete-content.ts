import { recordDeleted } from '../events/record-change.ts';
import type { Input, OperationContext, Result } from '../http/operation.ts';
import { noContent, remove } from '../http/resource.ts';
import { contents } from './queries.ts';

export async function deleteContent(
  input: Input<'deleteContent'>,
  context: OperationContext,
): Promise<Result<'deleteContent'>> {
  const { id } = await remove(
    contents,
    input,
    context,
    'content_in_use',
    'has leads or inbound hooks; archive it instead',
  );
  await recordDeleted(context, 'content', id);
  return noContent;
}
