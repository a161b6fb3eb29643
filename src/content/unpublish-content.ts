import type { Input, OperationContext, Result } from '../operation.ts';
import { setStatus } from './set-status.ts';

export async function unpublishContent(
  input: Input<'unpublishContent'>,
  context: OperationContext,
): Promise<Result<'unpublishContent'>> {
  return setStatus({ status: 'draft', published_at: null, archived_at: null }, input, context);
}
