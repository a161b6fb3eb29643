import type { Input, OperationContext, Result, Schema } from '../operation.ts';
import { findOrThrow } from '../resource/rows.ts';
import { type HookOutcome, processPayload } from './mapping/process-payload.ts';
import { hooks } from './queries.ts';
import { type Read, readBody } from './receiving/body/read-body.ts';

/** Processes the payload and rolls back, so that the result is exactly what a delivery would do. */
export async function previewInboundHook(
  { path }: Input<'previewInboundHook'>,
  context: OperationContext,
): Promise<Result<'previewInboundHook'>> {
  const read = readPayload(context);
  const hook = await findOrThrow(context.db, hooks, path.id);
  const { status, lead, note, errors, warnings } = await context.db.transaction(
    (trx) => processPayload(hook, read, { ...context, db: trx }),
    { dryRun: true },
  );
  const data = { status, lead: lead && toMappedLead(lead), note, errors, warnings: warnings ?? [] };
  return { status: 200, body: { data } };
}

/** Read like the body of a delivery. */
function readPayload({ rawBody: bytes = Buffer.alloc(0), checkBody }: OperationContext): Read {
  const { payload, plain, remarks } = readBody({ bytes, contentType: 'application/json' });
  const [exact, rough] = [payload, plain].map((body) => checkBody('previewInboundHook', body).payload);
  return { payload: exact ?? {}, plain: rough ?? {}, remarks };
}

function toMappedLead(lead: NonNullable<HookOutcome['lead']>): Schema<'InboundHookPreviewLead'> {
  return {
    name: lead.name,
    email: lead.email,
    other_emails: lead.other_emails ?? [],
    phone: lead.phone ?? null,
    status: lead.status,
    source: lead.source,
    source_detail: lead.source_detail ?? null,
    company: lead.company ?? null,
    tags: lead.tags,
    assigned_user_id: lead.assigned_user_id ?? null,
    content_id: lead.content_id ?? null,
    external_id: lead.external_id ?? null,
    lost_reason: lead.lost_reason ?? null,
    value: lead.value ?? null,
    expected_close_on: lead.expected_close_on ?? null,
    metadata: lead.metadata,
  };
}
