import { NOW, type RowValues } from '../db/row-statements.ts';
import { recordUpdated } from '../events/record-change.ts';
import { ok } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { lockOrThrow, updateOrThrow } from '../resource/rows.ts';
import { toContent, toContentWithBody } from './content.ts';
import { contents } from './queries.ts';
import type { ContentRow } from './tables.ts';

export const publishContent = setStatus({ status: 'published', published_at: NOW, archived_at: null });
export const unpublishContent = setStatus({ status: 'draft', published_at: null, archived_at: null });
export const archiveContent = setStatus({ status: 'archived', archived_at: NOW });

/** Sets the status and its timestamps. Does nothing if the content already has this status. */
function setStatus(changes: RowValues<ContentRow>) {
  return async (
    input: Pick<Input<'publishContent'>, 'path' | 'headers'>,
    context: OperationContext,
  ): Promise<Result<'publishContent'>> => {
    const before = await lockOrThrow(context.db, contents, input);
    if (before.status === changes.status) return ok(toContentWithBody(before));
    const after = await updateOrThrow(context, contents, before, changes);
    await recordUpdated(context, 'content', toContent(before), toContent(after));
    return ok(toContentWithBody(after));
  };
}
