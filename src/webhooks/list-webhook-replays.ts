import { conditionsOf, equals } from '../db/list/filters.ts';
import { list } from '../http/lists/pagination.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { findOrThrow } from '../resource/rows.ts';
import { webhooks } from './queries.ts';
import { describeReplays, toReplay } from './replay.ts';
import { replayFilters, replays } from './replay-queries.ts';

export async function listWebhookReplays(
  { path, query }: Input<'listWebhookReplays'>,
  context: OperationContext,
): Promise<Result<'listWebhookReplays'>> {
  const { id } = await findOrThrow(context.db, webhooks, path.id);
  const { body, ...answer } = await list(context, replays, {
    query,
    conditions: [equals('webhook_id')(id), ...conditionsOf(replayFilters, query)],
    toData: toReplay,
  });
  return { ...answer, body: { ...body, data: await describeReplays(context.db, body.data) } };
}
