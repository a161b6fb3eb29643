import { toId, toNullableId } from '../db/id.ts';
import type { ContentRow } from '../db/tables.ts';
import { history } from '../http/fields.ts';
import type { Schema } from '../http/operation.ts';

export function toContent(row: ContentRow): Schema<'Content'> {
  return {
    id: toId('content', row.id),
    title: row.title,
    slug: row.slug,
    type: row.type,
    summary: row.summary,
    body: row.body,
    url: row.url,
    language: row.language,
    status: row.status,
    author_user_id: toNullableId('user', row.author_user_id),
    tags: row.tags,
    metadata: row.metadata,
    published_at: row.published_at?.toISOString() ?? null,
    archived_at: row.archived_at?.toISOString() ?? null,
    ...history(row),
  };
}
