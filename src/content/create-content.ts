import { recordCreated } from '../events/record-change.ts';
import { created } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { distinct } from '../resource/fields.ts';
import { insertOrThrow } from '../resource/rows.ts';
import { resolveUser } from '../users/resolve-user.ts';
import { newUuid } from '../values/id.ts';
import { toContent, toContentWithBody } from './content.ts';
import { contents } from './queries.ts';
import { insertSlugged } from './slug.ts';

/** Creates a draft. Its default slug is made from the title. */
export async function createContent(
  { body: content }: Input<'createContent'>,
  context: OperationContext,
): Promise<Result<'createContent'>> {
  const { slug, summary = null, body = null, url = null, language = null } = content;
  const author = await resolveUser(context.db, 'author_user_id', content.author_user_id);
  const row = {
    id: newUuid(),
    title: content.title,
    type: content.type,
    ...{ summary, body, url, language },
    author_user_id: author ?? null,
    tags: distinct(content.tags),
    metadata: content.metadata,
  };
  const added =
    slug === undefined
      ? await insertSlugged(context.db, row)
      : await insertOrThrow(context, contents, { ...row, slug });
  await recordCreated(context, 'content', toContent(added));
  return created(`${context.baseUrl}/content`, toContentWithBody(added));
}
