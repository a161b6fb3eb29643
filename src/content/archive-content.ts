import { NOW } from '../db/row-statements.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { setStatus } from './set-status.ts';

export async function archiveContent(
  input: Input<'archiveContent'>,
  context: OperationContext,
): Promise<Result<'archiveContent'>> {
  return setStatus({ status: 'archived', archived_at: NOW }, input, context);
}
