import { newUuid } from '../db/id.ts';
import type { ContentRow } from '../db/tables.ts';
import { recordCreated } from '../events/record-change.ts';
import { distinct } from '../http/fields.ts';
import type { OperationContext, Schema } from '../http/operation.ts';
import { insertUnique } from '../http/resource.ts';
import { resolveUser } from '../users/resolve-user.ts';
import { toContent } from './content.ts';
import { contents } from './queries.ts';
import { insertSlugged } from './slug.ts';

/** Adds a draft. Throws 422 for a duplicate slug or an unknown author. */
export async function addContent(
  { slug, ...content }: Schema<'CreateContent'>,
  context: OperationContext,
): Promise<ContentRow> {
  const { db, principal } = context;
  const author = await resolveUser(db, 'author_user_id', content.author_user_id);
  const { summary = null, body = null, url = null, language = null } = content;
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
      ? await insertSlugged(db, row)
      : await insertUnique(db, contents, { ...row, slug }, principal);
  await recordCreated(context, 'content', added.id, toContent(added));
  return added;
}
