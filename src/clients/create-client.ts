import { created, noStore } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { addClient } from './change-client.ts';
import { toClientWithSecret } from './client.ts';

export async function createClient(
  { body }: Input<'createClient'>,
  context: OperationContext,
): Promise<Result<'createClient'>> {
  const { row, secret } = await addClient(context, body);
  return noStore(created(`${context.baseUrl}/clients`, toClientWithSecret(row, secret)));
}
