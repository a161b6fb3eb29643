import slugify from '@sindresorhus/slugify';
import { schemas } from '../../generated/limits.ts';
import { type Db, first } from '../db/db.ts';
import type { RowValues } from '../db/row-statements.ts';
import { contents, findFreeSlug } from './queries.ts';
import type { ContentRow } from './tables.ts';

const MAX_LENGTH = schemas.Slug.maxLength;

/** Inserts content with a slug made from its title, of at most MAX_LENGTH: `seven-ways`, else `seven-ways-2` and so on. */
export async function insertSlugged(db: Db, row: RowValues<ContentRow>): Promise<ContentRow> {
  const title = row.title ?? '';
  const words = wordsOf(title);
  // If a concurrent request takes the slug between lookup and insert, try the next free one.
  for (let slug = slugOf(title); ; slug = await findFreeSlug(db, words, MAX_LENGTH)) {
    const inserted = await first(db, contents.statements.insert({ ...row, slug }));
    if (inserted !== undefined) return inserted;
  }
}

/** The slug made from a title, whether it is free or not. */
export function slugOf(title: string): string {
  return trim(wordsOf(title).slice(0, MAX_LENGTH));
}

function wordsOf(title: string): string {
  return trim(slugify(title).replaceAll(/[^a-z0-9-]/g, '')) || 'content';
}

function trim(slug: string): string {
  return slug.replace(/^-+|-+$/g, '');
}
