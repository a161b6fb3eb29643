import type { Input, OperationContext, Result } from '../operation.ts';
import { findOrThrow } from '../resource/rows.ts';
import { webhooks } from './queries.ts';
import { describeReplay, findOwnReplay } from './replay.ts';

export async function getWebhookReplay(
  { path }: Input<'getWebhookReplay'>,
  { db }: OperationContext,
): Promise<Result<'getWebhookReplay'>> {
  const webhook = await findOrThrow(db, webhooks, path.id);
  const replay = await findOwnReplay(db, webhook, path.replay_id);
  return { status: 200, body: { data: await describeReplay(db, replay) } };
}
