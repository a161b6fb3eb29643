import { NOW } from '../db/row-statements.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { setStatus } from './set-status.ts';

export async function publishContent(
  input: Input<'publishContent'>,
  context: OperationContext,
): Promise<Result<'publishContent'>> {
  return setStatus({ status: 'published', published_at: NOW, archived_at: null }, input, context);
}
