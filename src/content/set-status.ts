import type { RowValues } from '../db/row-statements.ts';
import { recordUpdated } from '../events/record-change.ts';
import { ok } from '../http/responses.ts';
import type { Input, OperationContext } from '../operation.ts';
import { lock, update } from '../resource/rows.ts';
import { toContent, toContentWithBody } from './content.ts';
import { contents } from './queries.ts';
import type { ContentRow } from './tables.ts';

/** Sets the status of content and the timestamps that belong to it. Does nothing if the status is already set. */
export async function setStatus(
  changes: RowValues<ContentRow>,
  input: Input<'publishContent' | 'unpublishContent' | 'archiveContent'>,
  context: OperationContext,
) {
  const before = await lock(context.db, contents, input);
  if (before.status === changes.status) return ok(toContentWithBody(before));
  const after = await update(context, contents, before, changes);
  await recordUpdated(context, 'content', toContent(before), toContent(after));
  return ok(toContentWithBody(after));
}
