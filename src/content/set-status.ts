import type { Values } from '../db/resource.ts';
import type { ContentRow, ContentStatus } from '../db/tables.ts';
import type { Input, OperationContext } from '../http/operation.ts';
import { changed } from '../http/resource.ts';
import { changeContent } from './change-content.ts';
import { toContentWithBody } from './content.ts';
import { contents } from './queries.ts';

/** Sets the status of content and the timestamps that belong to it. Does nothing if the status is already set. */
export async function setStatus(
  changes: Values<ContentRow> & { status: ContentStatus },
  input: Input<'publishContent' | 'unpublishContent' | 'archiveContent'>,
  context: OperationContext,
) {
  const apply = async (before: ContentRow) =>
    before.status === changes.status ? before : changeContent(before, changes, context);
  return changed(contents, toContentWithBody, apply, input, context);
}
