import { ok } from '../http/responses.ts';
import { cancelJob } from '../jobs/end-job.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { lockOrThrow } from '../resource/rows.ts';
import { describeReplay, ofWebhook } from './replay.ts';
import { replayKind } from './replay-kind.ts';
import { replays } from './replay-queries.ts';

/** Waits for a running batch, which locks the replay. */
export async function cancelWebhookReplay(
  { path, headers }: Input<'cancelWebhookReplay'>,
  { db }: OperationContext,
): Promise<Result<'cancelWebhookReplay'>> {
  const found = await lockOrThrow(db, replays, { path: { id: path.replay_id }, headers });
  const before = ofWebhook(path.id, found);
  const replay = await cancelJob(db, replayKind, before, ['replay_id', 'replay', 'wrong_replay_status']);
  return ok(await describeReplay(db, replay));
}
