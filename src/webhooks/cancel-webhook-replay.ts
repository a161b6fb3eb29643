import type { Input, OperationContext, Result } from '../operation.ts';
import { invalidField } from '../problem.ts';
import { findOrThrow } from '../resource/rows.ts';
import { webhooks } from './queries.ts';
import { describeReplay, findOwnReplay } from './replay.ts';
import { cancelReplay } from './replay-queries.ts';

export async function cancelWebhookReplay(
  { path }: Input<'cancelWebhookReplay'>,
  { db }: OperationContext,
): Promise<Result<'cancelWebhookReplay'>> {
  const webhook = await findOrThrow(db, webhooks, path.id);
  const { id } = await findOwnReplay(db, webhook, path.replay_id);
  const replay = (await cancelReplay(db, id)) ?? (await findOwnReplay(db, webhook, path.replay_id));
  if (replay.status === 'completed') {
    const message = "This replay can't be cancelled, because it has already completed.";
    throw invalidField('replay_id', message, 'wrong_replay_status');
  }
  return { status: 200, body: { data: await describeReplay(db, replay) } };
}
