import { logAct } from '../audit-log/log-act.ts';
import { lockCount } from '../db/lock-count.ts';
import { created, noStore } from '../http/responses.ts';
import { resolveReferences } from '../leads/references.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { Problem } from '../problem.ts';
import { distinct } from '../resource/fields.ts';
import { insertOrThrow } from '../resource/rows.ts';
import { newUuid, toId } from '../values/id.ts';
import { hashSecret, newSecret } from '../values/secrets.ts';
import { withUrl } from './inbound-hook.ts';
import { checkMapping } from './mapping/check-mapping.ts';
import { checkOptions, checkReturn } from './mapping/check-options.ts';
import { hooks } from './queries.ts';
import { checkOrigins, checkRedirect } from './receiving/browser.ts';
import { patchVerification } from './receiving/verification.ts';
import type { Mapping } from './tables.ts';

const MAX_HOOKS = 100;

export async function createInboundHook(
  { body }: Input<'createInboundHook'>,
  context: OperationContext,
): Promise<Result<'createInboundHook'>> {
  const { db, baseUrl, environment, secretKey } = context;
  if ((await lockCount(db, 'inbound_hooks')) >= MAX_HOOKS) throw limitReached();
  checkOptions(body);
  checkReturn(body);
  const token = newSecret('hook', environment);
  const references = await resolveReferences(db, body);
  const row = await insertOrThrow(context, hooks, {
    id: newUuid(),
    client_id: context.principal.clientId,
    name: body.name,
    token_hash: hashSecret(token),
    status: body.status,
    lead_source: body.lead_source,
    default_tags: distinct(body.default_tags),
    assigned_user_id: references.assigned_user_id ?? null,
    content_id: references.content_id ?? null,
    mapping: checkMapping(body.mapping as Mapping),
    ...patchVerification(body.verification, secretKey),
    on_duplicate: body.on_duplicate,
    on_return: body.on_return,
    first_contact_seconds: body.first_contact_seconds ?? null,
    redirect_url: checkRedirect(body.redirect_url) ?? null,
    honeypot: body.honeypot ?? null,
    allowed_origins: checkOrigins(body.allowed_origins) ?? [],
    default_country: body.default_country ?? null,
    locale: body.locale ?? null,
    values: body.values,
    accept_if: body.accept_if ?? null,
  });
  logAct(context, 'inbound_hook.created', { hook_id: toId('hook', row.id) });
  return noStore(created(`${baseUrl}/inbound-hooks`, withUrl(row, baseUrl, token)));
}

function limitReached(): Problem {
  const message = `You already have ${MAX_HOOKS} inbound hooks, the maximum. Delete one first.`;
  return new Problem('inbound_hook_limit_reached', message, {
    details: { errors: { inbound_hooks: [message] } },
  });
}
