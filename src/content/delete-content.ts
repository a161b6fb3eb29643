import type { Input, OperationContext, Result } from '../http/operation.ts';
import { deleted } from '../http/resource.ts';
import { contents } from './queries.ts';

export async function deleteContent(
  input: Input<'deleteContent'>,
  context: OperationContext,
): Promise<Result<'deleteContent'>> {
  return deleted(contents, input, context, 'content_in_use', 'has leads; archive it instead');
}
