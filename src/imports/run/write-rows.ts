import { contactImportRules } from '../../contacts/import-rules.ts';
import { contentImportRules } from '../../content/content-rules.ts';
import { leadImportRules } from '../../leads/import-rules.ts';
import { isMergedKind } from '../../merges/merged.ts';
import { findMergesByEmails } from '../../merges/queries.ts';
import { Problem } from '../../problem.ts';
import { createMany, upsertMany } from '../../resource/many.ts';
import { duplicate } from '../../resource/rows.ts';
import type { Rules, Types, Writer } from '../../resource/rules.ts';
import type { Outcome } from '../../resource/write-many.ts';
import { type UserTypes, userRules } from '../../users/user-rules.ts';
import { type NoteFields, writeNotes } from '../notes/write-notes.ts';
import type { ImportOptions } from '../tables.ts';
import type { Checks, Item } from './check-bodies.ts';
import { type DealItem, writeDeal } from './write-deal.ts';

type Options = Pick<ImportOptions, 'resource' | 'match' | 'on_duplicate'>;

/** The part of a table row that an import needs. */
export interface WrittenRow {
  id: string;
}

/** What an earlier row of the file means for an item of a dry run. */
export interface Seen {
  status: 'updated' | 'unchanged';
  earlierRow: number;
}

/** Outcomes of a dry run, whose rows may not exist. */
export type Tried = Outcome<WrittenRow> | Seen;

/** Writes the items in order, by the same rules as batches and single requests. */
export function writeItems(
  options: Options,
  items: readonly Item[],
  context: Writer & Checks,
): Promise<Outcome<WrittenRow>[]> {
  switch (options.resource) {
    case 'leads':
      return writeLeads(options, items, context);
    case 'contacts':
      return writeBy(contactImportRules, options, items, context);
    case 'users':
      return writeBy<UserTypes>(userRules, options, items, context);
    case 'content':
      return writeBy(contentImportRules, options, items, context);
    case 'notes':
      return writeNotes(items as (NoteFields | Problem)[], options.on_duplicate, context);
    default:
      return options.resource satisfies never;
  }
}

/** Rows with a deal are written one by one: each may begin a sales cycle of the same lead. */
async function writeLeads(
  options: Options,
  items: readonly Item[],
  context: Writer & Checks,
): Promise<Outcome<WrittenRow>[]> {
  if (!items.some(isDeal)) return writeBy(leadImportRules, options, items, context);
  const outcomes: Outcome<WrittenRow>[] = [];
  for (const item of items) {
    const written = isDeal(item)
      ? [await writeDeal(item, options, context)]
      : await writeBy(leadImportRules, options, [item], context);
    outcomes.push(...written);
  }
  return outcomes;
}

function isDeal(item: Item): item is DealItem {
  return 'deal_id' in item;
}

async function writeBy<T extends Types>(
  rules: Rules<T>,
  { match, on_duplicate: onDuplicate }: Options,
  items: readonly Item[],
  context: Writer & Checks,
): Promise<Outcome<WrittenRow>[]> {
  if (onDuplicate !== 'reject')
    return upsertMany(rules, items as (T['patch'] | Problem)[], { match, onDuplicate }, context);
  const added = await withoutMerged(rules, items as (T['new'] | Problem)[], context);
  return createMany(rules, added, context);
}

/** Rejects the items with an address of what was merged into another one: they would be the duplicates again. */
async function withoutMerged<T extends Types>(
  { kind, resource }: Rules<T>,
  items: readonly (T['new'] | Problem)[],
  { db }: Writer,
): Promise<(T['new'] | Problem)[]> {
  if (!isMergedKind(kind)) return [...items];
  const emailOf = (item: T['new'] | Problem) =>
    item instanceof Problem ? undefined : (item.email ?? undefined);
  const survivors = await findMergesByEmails(
    db,
    kind,
    items.map(emailOf).filter((email) => email !== undefined),
  );
  return items.map((item) => {
    const survivor = survivors.get(emailOf(item)?.toLowerCase() ?? '');
    return survivor === undefined ? item : duplicate(resource, { column: 'email', id: survivor });
  });
}
