import type { Input, OperationContext, Result } from '../http/operation.ts';
import { changed } from '../http/resource.ts';
import { toContentWithBody } from './content.ts';
import { patchContent } from './patch-content.ts';
import { contents } from './queries.ts';

export async function updateContent(
  input: Input<'updateContent'>,
  context: OperationContext,
): Promise<Result<'updateContent'>> {
  return changed(contents, toContentWithBody, patchContent, input, context);
}
