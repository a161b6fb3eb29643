import { hashSecret, newSecret } from '../auth/secrets.ts';
import { newUuid } from '../db/id.ts';
import type { InboundHookRow } from '../db/inbound-tables.ts';
import { distinct } from '../http/fields.ts';
import type { Input, OperationContext, Result } from '../http/operation.ts';
import { created, insertUnique } from '../http/resource.ts';
import { resolveReferences } from '../leads/references.ts';
import { withUrl } from './inbound-hook.ts';
import { hooks } from './queries.ts';
import { patchVerification } from './verification.ts';

export async function createInboundHook(
  { body }: Input<'createInboundHook'>,
  { db, principal, baseUrl, environment, secretKey }: OperationContext,
): Promise<Result<'createInboundHook'>> {
  const token = newSecret('hook', environment);
  const references = await resolveReferences(db, body);
  const row = await insertUnique(
    db,
    hooks,
    {
      id: newUuid(),
      name: body.name,
      token_hash: hashSecret(token),
      status: body.status,
      lead_source: body.lead_source,
      default_tags: distinct(body.default_tags),
      assigned_user_id: references.assigned_user_id ?? null,
      content_id: references.content_id ?? null,
      mapping: body.mapping as InboundHookRow['mapping'],
      ...patchVerification(body.verification ?? { type: 'none' }, secretKey),
      on_duplicate: body.on_duplicate,
    },
    principal,
  );
  const response = created(`${baseUrl}/inbound-hooks`, withUrl(row, baseUrl, token));
  return { ...response, headers: { ...response.headers, 'Cache-Control': 'no-store' } };
}
