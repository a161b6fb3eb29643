import type { Input, OperationContext, Result } from '../http/operation.ts';
import { noContent } from '../http/responses.ts';
import { remove } from '../resource/rows.ts';
import { webhooks } from './queries.ts';

export async function deleteWebhook(
  input: Input<'deleteWebhook'>,
  { db }: OperationContext,
): Promise<Result<'deleteWebhook'>> {
  await remove(db, webhooks, input);
  return noContent;
}
