import { recordUpdated } from '../events/record-change.ts';
import { ok } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { patchMetadata, patchTags } from '../resource/fields.ts';
import { lockOrThrow, updateOrThrow } from '../resource/rows.ts';
import { resolveUser } from '../users/resolve-user.ts';
import { toContent, toContentWithBody } from './content.ts';
import { contents } from './queries.ts';

export async function updateContent(
  input: Input<'updateContent'>,
  context: OperationContext,
): Promise<Result<'updateContent'>> {
  const { author_user_id: author, metadata, tags, add_tags, remove_tags, ...fields } = input.body;
  const before = await lockOrThrow(context.db, contents, input);
  const changes = {
    ...fields,
    author_user_id: await resolveUser(context.db, 'author_user_id', author, before.author_user_id),
    metadata: patchMetadata(before.metadata, metadata),
    tags: patchTags(before.tags, { tags, add_tags, remove_tags }),
  };
  const after = await updateOrThrow(context, contents, before, changes);
  await recordUpdated(context, 'content', toContent(before), toContent(after));
  return ok(toContentWithBody(after));
}
