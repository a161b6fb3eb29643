import type { Schema } from '../operation.ts';
import { history } from '../resource/fields.ts';
import { toId, toNullableId } from '../values/id.ts';
import type { ContentRow, ListedContentRow } from './tables.ts';

/** The representation in lists and events, without the body. */
export function toContent(row: ListedContentRow): Schema<'Content'> {
  return {
    id: toId('content', row.id),
    title: row.title,
    slug: row.slug,
    type: row.type,
    summary: row.summary,
    body_sha256: row.body_sha256,
    url: row.url,
    language: row.language,
    status: row.status,
    author_user_id: toNullableId('user', row.author_user_id),
    tags: row.tags,
    metadata: row.metadata,
    published_at: row.published_at,
    archived_at: row.archived_at,
    ...history(row),
  };
}

export function toContentWithBody(row: ContentRow): Schema<'ContentWithBody'> {
  return { ...toContent(row), body: row.body };
}
