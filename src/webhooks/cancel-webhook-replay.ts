import type { Input, OperationContext, Result } from '../operation.ts';
import { invalidField } from '../problem.ts';
import { lockOrThrow } from '../resource/rows.ts';
import { webhooks } from './queries.ts';
import { describeReplay, findOwnReplay } from './replay.ts';
import { endReplay } from './replay-queries.ts';

export async function cancelWebhookReplay(
  { path }: Input<'cancelWebhookReplay'>,
  { db }: OperationContext,
): Promise<Result<'cancelWebhookReplay'>> {
  // In the order in which a new replay locks them.
  const webhook = await lockOrThrow(db, webhooks, { path, headers: {} });
  const { id } = await findOwnReplay(db, webhook, path.replay_id);
  const replay = (await endReplay(db, id)) ?? (await findOwnReplay(db, webhook, path.replay_id));
  if (replay.status !== 'cancelled') {
    const message = `This replay can't be cancelled, because it has already ${replay.status}.`;
    throw invalidField('replay_id', message, 'wrong_replay_status');
  }
  return { status: 200, body: { data: await describeReplay(db, replay) } };
}
