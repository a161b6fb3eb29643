import type { Values } from '../db/resource.ts';
import type { ContentRow, ContentStatus } from '../db/tables.ts';
import type { Input, OperationContext } from '../http/operation.ts';
import { changed } from '../http/resource.ts';
import { changeContent } from './change-content.ts';
import { toContentWithBody } from './content.ts';
import { contents } from './queries.ts';

/** Gives content a status, and the times that go with it; where it has the status already, nothing changes. */
export async function setStatus(
  wanted: Values<ContentRow> & { status: ContentStatus },
  input: Input<'publishContent' | 'unpublishContent' | 'archiveContent'>,
  context: OperationContext,
) {
  const apply = async (before: ContentRow) =>
    before.status === wanted.status ? before : changeContent(before, wanted, context);
  return changed(contents, toContentWithBody, apply, input, context);
}
