import { hashSecret, newSecret } from '../auth/secrets.ts';
import type { Input, OperationContext, Result } from '../http/operation.ts';
import { change, lock, ok } from '../http/resource.ts';
import { withUrl } from './inbound-hook.ts';
import { hooks } from './queries.ts';

export async function rotateInboundHookUrl(
  input: Input<'rotateInboundHookUrl'>,
  { db, principal, environment, baseUrl }: OperationContext,
): Promise<Result<'rotateInboundHookUrl'>> {
  const before = await lock(db, hooks, input);
  const token = newSecret('hook', environment);
  const after = await change(db, hooks, before, { token_hash: hashSecret(token) }, principal);
  const response = ok(withUrl(after, baseUrl, token));
  return { ...response, headers: { ...response.headers, 'Cache-Control': 'no-store' } };
}
