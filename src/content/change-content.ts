import type { Values } from '../db/resource.ts';
import type { ContentRow } from '../db/tables.ts';
import { recordChange } from '../events/record-change.ts';
import type { OperationContext } from '../http/operation.ts';
import { change } from '../http/resource.ts';
import { toContent } from './content.ts';
import { contents } from './queries.ts';

/** Updates content and records the event. Every update of content must go through here. */
export async function changeContent(
  before: ContentRow,
  changes: Values<ContentRow>,
  context: OperationContext,
): Promise<ContentRow> {
  const after = await change(context.db, contents, before, changes, context.principal);
  await recordChange(context, 'content', toContent, before, after);
  return after;
}
