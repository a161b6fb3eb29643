import slugify from '@sindresorhus/slugify';
import { schemas } from '../../generated/limits.ts';
import { contentImportRules } from '../content/content-rules.ts';
import type { ContentRow, ContentStatus } from '../content/tables.ts';
import type { UserRow } from '../users/tables.ts';
import { userRules } from '../users/user-rules.ts';
import { toId } from '../values/id.ts';
import { DAY } from '../values/time.ts';
import type { Random } from './random.ts';
import { audiences, firstNames, lastNames, qualities, sentences, subjects } from './words.ts';

/** Length of the generated history. Days. It fits into the 90 days that end today. */
export const DAYS = 89;

/** Random values, the period of the history, and the seed. Texts contain the seed to be unique. */
export interface Source {
  random: Random;
  seed: number;
  /** Milliseconds since 1970. */
  begin: number;
  /** Milliseconds since 1970. */
  end: number;
}

/** A row without `body_sha256`, which PostgreSQL computes. */
export type NewContentRow = Omit<ContentRow, 'body_sha256'>;

const TAGS = ['vip', 'newsletter', 'trade-fair', 'partner', 'enterprise', 'trial', 'webinar'];
const STATUSES: ContentStatus[] = ['published', 'published', 'published', 'archived', 'draft'];
/** Every nth user is inactive. */
const INACTIVE_INTERVAL = 8;

export function tagsOf({ random }: Source): string[] {
  return random.some(TAGS, 3);
}

/** A name, and an email address that is unique within a resource type and across seeds. */
export function nameOf({ random, seed }: Source, number: number) {
  const name = `${random.pick(firstNames)} ${random.pick(lastNames)}`;
  return { name, email: `${slugify(name, { separator: '.' })}.${seed}-${number}@example.com` };
}

export function makeUsers(source: Source, count: number): UserRow[] {
  return Array.from({ length: count }, (_, index) => {
    const active = index % INACTIVE_INTERVAL !== INACTIVE_INTERVAL - 1;
    const created = source.begin;
    const updated = active ? created : source.random.int(source.begin, source.end);
    const row = userRules.toRow({ ...nameOf(source, index + 1), active }, undefined) as UserRow;
    const times = { created_at: toTimestamp(created), updated_at: toTimestamp(updated) };
    return { ...row, ...times, version: active ? 1 : 2 };
  });
}

export function makeContent(source: Source, count: number, users: readonly UserRow[]): NewContentRow[] {
  const authors = users.filter(({ active }) => active).map(({ id }) => id);
  return Array.from({ length: count }, (_, index) => makeContentItem(source, index + 1, authors));
}

function makeContentItem(source: Source, number: number, authors: readonly string[]): NewContentRow {
  const { random, seed, begin, end } = source;
  const subject = `${random.pick(qualities)} ${random.pick(subjects)}`;
  const title = `${subject} for ${random.pick(audiences)}`;
  const slug = `${slugify(title)}-${seed}-${number}`;
  // The first item is published from the start, so that early leads can refer to published content.
  const status = number === 1 ? 'published' : random.pick(STATUSES);
  const created = number === 1 ? begin : random.int(begin, end - 10 * DAY);
  const published = status === 'draft' ? undefined : created + random.int(1, DAY);
  const archived = status === 'archived' ? random.int(end - 8 * DAY, end) : undefined;
  const row = contentImportRules.toRow(
    {
      title,
      slug,
      type: random.pick(schemas.ContentKind.enum),
      summary: `What we learned about ${subject.toLowerCase()}.`,
      body: `# ${title}\n\n${random.some(sentences, 5).join(' ')}\n`,
      ...(published !== undefined && { url: `https://www.example.com/${slug}` }),
      language: random.pick(['en', 'en', 'de', 'fr', 'pt-BR']),
      author_user_id: toId('user', random.pick(authors)),
      tags: tagsOf(source),
      metadata: { campaign: random.pick(['spring', 'summer', 'autumn', 'winter']) },
      status,
    },
    new Set(authors),
  ) as NewContentRow;
  return {
    ...row,
    published_at: published === undefined ? null : toTimestamp(published),
    archived_at: archived === undefined ? null : toTimestamp(archived),
    created_at: toTimestamp(created),
    updated_at: toTimestamp(archived ?? published ?? created),
    version: 1 + Number(published !== undefined) + Number(archived !== undefined),
  };
}

/** Takes milliseconds since 1970. */
export function toTimestamp(moment: number): string {
  return new Date(moment).toISOString();
}
