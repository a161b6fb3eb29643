import { ok } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { findOrThrow } from '../resource/rows.ts';
import { describeReplay, ofWebhook } from './replay.ts';
import { replays } from './replay-queries.ts';

export async function getWebhookReplay(
  { path }: Input<'getWebhookReplay'>,
  { db }: OperationContext,
): Promise<Result<'getWebhookReplay'>> {
  const replay = ofWebhook(path.id, await findOrThrow(db, replays, path.replay_id));
  return ok(await describeReplay(db, replay));
}
