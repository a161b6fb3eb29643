import slugify from '@sindresorhus/slugify';
import type { Db } from '../db/knex.ts';
import { insertRow, type Values } from '../db/resource.ts';
import type { ContentRow } from '../db/tables.ts';
import { contents, findSlugs } from './queries.ts';

const MAX_LENGTH = 200;
/** So many slugs are looked up at once. */
const CANDIDATES = 50;

/** Inserts content under the first free slug of its title. */
export async function insertSlugged(
  db: Db,
  row: Values<ContentRow> & { title: string },
): Promise<ContentRow> {
  const words = slugify(row.title).replaceAll(/[^a-z0-9-]/g, '');
  // Another request may take a slug between the look at it and the insert; then the next free one is tried.
  for (let number = 1; ; number = await nextFree(db, words, number + 1)) {
    const inserted = await insertRow(db, contents, { ...row, slug: numberedSlug(words, number) });
    if (inserted !== undefined) return inserted;
  }
}

async function nextFree(db: Db, words: string, first: number): Promise<number> {
  const numbers = Array.from({ length: CANDIDATES }, (_, index) => first + index);
  const taken = await findSlugs(
    db,
    numbers.map((number) => numberedSlug(words, number)),
  );
  const free = numbers.find((number) => !taken.has(numberedSlug(words, number)));
  return free ?? nextFree(db, words, first + CANDIDATES);
}

/** `seven-ways`, then `seven-ways-2` and so on, each within the limit. */
function numberedSlug(words: string, number: number): string {
  const suffix = number === 1 ? '' : `-${number}`;
  const stem = words.slice(0, MAX_LENGTH - suffix.length).replace(/^-+|-+$/g, '');
  return (stem || 'content') + suffix;
}
