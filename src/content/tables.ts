import type { components } from '../../generated/api.ts';
import { base, column, columnsOf } from '../db/tables.ts';

type Schemas = components['schemas'];

export type ContentStatus = Schemas['ContentStatus'];

/** Content without its body, which can have 200,000 characters. */
const listedContent = {
  ...base,
  title: column<string>(),
  slug: column<string>(),
  type: column<Schemas['ContentKind']>(),
  summary: column<string | null>(),
  body_sha256: column<string | null>(),
  url: column<string | null>(),
  language: column<string | null>(),
  status: column<ContentStatus>(),
  author_user_id: column<string | null>(),
  tags: column<string[]>(),
  metadata: column<Record<string, string | number | boolean>>(),
  published_at: column<string | null>(),
  archived_at: column<string | null>(),
};

export type ListedContentRow = typeof listedContent;
export const listedContentColumns = columnsOf(listedContent);

export const content = { ...listedContent, body: column<string | null>() };

export type ContentRow = typeof content;
export const contentColumns = columnsOf(content);

declare module 'knex/types/tables.js' {
  interface Tables {
    content: ContentRow;
  }
}
