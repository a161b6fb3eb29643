import type { Input, OperationContext, Result } from '../http/operation.ts';
import { created } from '../http/resource.ts';
import { addContent } from './add-content.ts';
import { toContentWithBody } from './content.ts';

export async function createContent(
  { body }: Input<'createContent'>,
  context: OperationContext,
): Promise<Result<'createContent'>> {
  return created(`${context.baseUrl}/content`, toContentWithBody(await addContent(body, context)));
}
