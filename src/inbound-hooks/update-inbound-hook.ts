import { logAct } from '../audit-log/log-act.ts';
import { ok } from '../http/responses.ts';
import { resolveReferences } from '../leads/references.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { distinct } from '../resource/fields.ts';
import { lockOrThrow, updateOrThrow } from '../resource/rows.ts';
import { mergeMap } from '../values/merge-patch.ts';
import { toInboundHook } from './inbound-hook.ts';
import { checkMapping } from './mapping/check-mapping.ts';
import { checkOptions, checkReturn } from './mapping/check-options.ts';
import { hooks } from './queries.ts';
import { checkOrigins, checkRedirect } from './receiving/browser.ts';
import { patchVerification } from './receiving/verification.ts';
import type { Mapping } from './tables.ts';

export async function updateInboundHook(
  input: Input<'updateInboundHook'>,
  context: OperationContext,
): Promise<Result<'updateInboundHook'>> {
  const { default_tags, allowed_origins, mapping, verification, ...fields } = input.body;
  checkOptions(fields);
  const before = await lockOrThrow(context.db, hooks, input);
  checkReturn({ on_return: before.on_return, on_duplicate: before.on_duplicate, ...fields });
  const changes = {
    ...fields,
    ...(await resolveReferences(context.db, fields, before)),
    default_tags: distinct(default_tags),
    redirect_url: checkRedirect(fields.redirect_url),
    allowed_origins: checkOrigins(allowed_origins),
    mapping: mapping && checkMapping(mergeMap<Mapping[string]>(before.mapping, mapping)),
    ...patchVerification(verification, context.secretKey, before),
  };
  const after = await updateOrThrow(context, hooks, before, changes);
  if (changes.encrypted_secret !== undefined && changes.encrypted_secret !== before.encrypted_secret)
    logAct(context, 'inbound_hook.secret_changed', { hook_id: input.path.id });
  return ok(toInboundHook(after));
}
