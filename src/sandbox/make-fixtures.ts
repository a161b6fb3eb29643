import type { Faker } from '@faker-js/faker';
import slugify from '@sindresorhus/slugify';
import { schemas } from '../../generated/limits.ts';
import type { ContentStatus } from '../content/tables.ts';
import type { UserRow } from '../users/tables.ts';
import { newUuid } from '../values/id.ts';
import { DAY } from '../values/time.ts';
import type { NewContentRow } from './queries.ts';

/** Length of the generated history. Days. It fits into the 90 days that end today. */
export const DAYS = 89;

/** A stream of random values, the period of the history, and the seed. Texts contain the seed to be unique. */
export interface Source {
  fake: Faker;
  seed: number;
  /** Milliseconds since 1970. */
  begin: number;
  /** Milliseconds since 1970. */
  end: number;
}

const TAGS = ['vip', 'newsletter', 'trade-fair', 'partner', 'enterprise', 'trial', 'webinar'];
const STATUSES: ContentStatus[] = ['published', 'published', 'published', 'archived', 'draft'];
/** Every nth user is inactive. */
const INACTIVE_INTERVAL = 8;

export function pick<T>({ fake }: Source, choices: readonly T[]): T {
  return fake.helpers.arrayElement(choices);
}

/** True with this probability in percent. */
export function chance({ fake }: Source, percent: number): boolean {
  return fake.number.int({ min: 1, max: 100 }) <= percent;
}

export function randomInt({ fake }: Source, from: number, to: number): number {
  return fake.number.int({ min: from, max: Math.max(from, to) });
}

export function tagsOf(source: Source): string[] {
  return source.fake.helpers.arrayElements(TAGS, { min: 0, max: 3 });
}

/** A name, and an email address that is unique within a resource type and across seeds. */
export function nameOf({ fake, seed }: Source, number: number) {
  const name = `${fake.person.firstName()} ${fake.person.lastName()}`;
  return { name, email: `${slugify(name, { separator: '.' })}.${seed}-${number}@example.com` };
}

export function makeUsers(source: Source, count: number): UserRow[] {
  return Array.from({ length: count }, (_, index) => {
    const active = index % INACTIVE_INTERVAL !== INACTIVE_INTERVAL - 1;
    const created = source.begin;
    const updated = active ? created : randomInt(source, source.begin, source.end);
    return {
      id: newUuid(),
      ...nameOf(source, index + 1),
      active,
      external_id: null,
      metadata: {},
      created_at: toTimestamp(created),
      updated_at: toTimestamp(updated),
      version: active ? 1 : 2,
    };
  });
}

export function makeContent(source: Source, count: number, users: readonly UserRow[]): NewContentRow[] {
  const authors = users.filter(({ active }) => active);
  return Array.from({ length: count }, (_, index) => makeContentItem(source, index + 1, authors));
}

function makeContentItem(source: Source, number: number, authors: readonly UserRow[]): NewContentRow {
  const { fake, seed, begin, end } = source;
  const title = fake.company
    .catchPhrase()
    .split(' ')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
  const slug = `${slugify(title)}-${seed}-${number}`;
  // The first item is published from the start, so that early leads can refer to published content.
  const status = number === 1 ? 'published' : pick(source, STATUSES);
  const created = number === 1 ? begin : randomInt(source, begin, end - 10 * DAY);
  const published = status === 'draft' ? undefined : created + randomInt(source, 1, DAY);
  const archived = status === 'archived' ? randomInt(source, end - 8 * DAY, end) : undefined;
  return {
    id: newUuid(),
    title,
    slug,
    type: pick(source, schemas.ContentKind.enum),
    summary: `${fake.company.buzzPhrase()}.`,
    body: `# ${title}\n\n${fake.lorem.paragraph()}\n`,
    url: published === undefined ? null : `https://www.example.com/${slug}`,
    language: pick(source, ['en', 'en', 'de', 'fr', 'pt-BR']),
    status,
    author_user_id: pick(source, authors).id,
    tags: tagsOf(source),
    metadata: { campaign: pick(source, ['spring', 'summer', 'autumn', 'winter']) },
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
