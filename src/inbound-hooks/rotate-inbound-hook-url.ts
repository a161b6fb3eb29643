import { logAct } from '../audit-log/log-act.ts';
import { noStore, ok } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { lockOrThrow, updateOrThrow } from '../resource/rows.ts';
import { hashSecret, newSecret } from '../values/secrets.ts';
import { withUrl } from './inbound-hook.ts';
import { hooks } from './queries.ts';

export async function rotateInboundHookUrl(
  input: Input<'rotateInboundHookUrl'>,
  context: OperationContext,
): Promise<Result<'rotateInboundHookUrl'>> {
  const { db, environment, baseUrl } = context;
  const before = await lockOrThrow(db, hooks, input);
  const token = newSecret('hook', environment);
  const after = await updateOrThrow(context, hooks, before, { token_hash: hashSecret(token) });
  logAct(context, 'inbound_hook.url_rotated', { hook_id: input.path.id });
  return noStore(ok(withUrl(after, baseUrl, token)));
}
