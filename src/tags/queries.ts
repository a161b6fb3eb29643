import { condition } from '../db/list/condition.ts';
import * as filters from '../db/list/filters.ts';
import type { Input } from '../operation.ts';

/** A row of the view tag_counts. */
export interface TagCountRow {
  id: string;
  tag: string;
  /** A bigint. */
  count: string;
}

export const tagCounts = {
  table: 'tag_counts',
  columns: ['id', 'tag', 'count'],
  sortable: { count: 'bigint', tag: 'text' },
} as const;

export const tagFilters: filters.FilterTable<Input<'listTags'>['query']> = {
  resource: filters.equals('resource'),
  prefix: (prefix) => condition('starts_with(lower(tag), lower(?))', prefix),
};
