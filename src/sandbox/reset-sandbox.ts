import type { Input, OperationContext, Result } from '../operation.ts';
import { reset } from './queries.ts';

export async function resetSandbox(
  _input: Input<'resetSandbox'>,
  { db }: OperationContext,
): Promise<Result<'resetSandbox'>> {
  return { status: 200, body: { data: { deleted: await reset(db) } } };
}
