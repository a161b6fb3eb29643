import type { ContentRow } from '../db/tables.ts';
import { distinct, patchedMetadata } from '../http/fields.ts';
import type { OperationContext, Schema } from '../http/operation.ts';
import { resolveUser } from '../users/resolve-user.ts';
import { changeContent } from './change-content.ts';

/** Applies a JSON Merge Patch (RFC 7396). */
export async function patchContent(
  before: ContentRow,
  { author_user_id: author, ...patch }: Schema<'UpdateContent'>,
  context: OperationContext,
): Promise<ContentRow> {
  const changes = {
    ...patch,
    author_user_id: await resolveUser(context.db, 'author_user_id', author, before.author_user_id),
    metadata: patchedMetadata(before.metadata, patch.metadata),
    tags: distinct(patch.tags),
  };
  return changeContent(before, changes, context);
}
