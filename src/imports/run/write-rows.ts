import { contactImportRules } from '../../contacts/import-rules.ts';
import { contentImportRules } from '../../content/content-rules.ts';
import { leadImportRules } from '../../leads/import-rules.ts';
import type { Problem } from '../../problem.ts';
import { createMany, upsertMany } from '../../resource/many.ts';
import type { Rules, Types, Writer } from '../../resource/rules.ts';
import type { Outcome } from '../../resource/write-many.ts';
import { type UserTypes, userRules } from '../../users/user-rules.ts';
import { type NoteFields, writeNotes } from '../notes/write-notes.ts';
import type { ImportRow } from '../tables.ts';
import type { Checks, Item } from './check-bodies.ts';

type Options = Pick<ImportRow, 'resource' | 'match' | 'on_duplicate'>;

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
      return writeBy(leadImportRules, options, items, context);
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

function writeBy<T extends Types>(
  rules: Rules<T>,
  { match, on_duplicate: onDuplicate }: Options,
  items: readonly Item[],
  context: Writer & Checks,
): Promise<Outcome<WrittenRow>[]> {
  return onDuplicate === 'reject'
    ? createMany(rules, items as (T['new'] | Problem)[], context)
    : upsertMany(rules, items as (T['patch'] | Problem)[], { match, onDuplicate }, context);
}
