import { createHash } from 'node:crypto';
import type { Db } from '../../db/db.ts';
import { invalidField, Problem } from '../../problem.ts';
import type { Outcome } from '../../resource/write-many.ts';
import { addKeys, findSeenKeys } from '../queries.ts';
import type { ImportRow } from '../tables.ts';
import type { Item } from './check-bodies.ts';
import type { Seen, WrittenRow } from './write-rows.ts';

type Run = Pick<ImportRow, 'id' | 'options' | 'state'>;

/** Fields with unique values, and the name of these values: nobody's other address is somebody's email. */
const unique = { email: 'email', other_emails: 'email', external_id: 'external_id', slug: 'slug' } as const;

const singular = {
  leads: 'lead',
  contacts: 'contact',
  users: 'user',
  content: 'piece of content',
  notes: 'note',
};

/**
 * A dry run can't find rows in the database that its earlier chunks created, because they were rolled back. Returns for
 * each item the outcome that those earlier rows would cause, or undefined.
 */
export async function findSeen(
  db: Db,
  { id, options: { resource, match, on_duplicate }, state: { starts } }: Run,
  items: readonly Item[],
): Promise<(Problem | Seen | undefined)[]> {
  const hashes = items.map((item) => (item instanceof Problem ? [] : hashesOf(starts, item)));
  const seen = await findSeenKeys(
    db,
    id,
    hashes.flat().map(({ hash }) => hash),
  );
  return hashes.map((each) => {
    const known = each.filter(({ hash }) => seen.has(hash));
    const matched = known.find(({ field }) => field === match);
    if (on_duplicate !== 'reject' && matched !== undefined) {
      const status = on_duplicate === 'ignore' ? 'unchanged' : 'updated';
      return { status, earlierRow: seen.get(matched.hash) as number };
    }
    const [taken] = known;
    const message = `is already used by another ${singular[resource]}`;
    return taken && invalidField(taken.field, message, `duplicate_${unique[taken.field]}`);
  });
}

/** Remembers what the rows of the file with these numbers are about. */
export async function addSeen(
  db: Db,
  { id, state: { starts } }: Run,
  numbers: readonly number[],
  outcomes: readonly Outcome<WrittenRow>[],
): Promise<void> {
  const keys = outcomes.flatMap((outcome, index) => {
    if (outcome.status === 'failed') return [];
    const created = outcome.status === 'created' ? hashesOf(starts, outcome.row) : [];
    const hashes = [...created.map(({ hash }) => hash), hashOfId(starts, outcome.row.id)];
    return hashes.map((hash) => ({ hash, row: numbers[index] as number }));
  });
  await addKeys(db, id, keys);
}

/** Stands for a resource (UUID) that exists. */
export function hashOfId(starts: number, id: string): string {
  return hash(`${starts} id ${id}`);
}

/** Hashes of the unique values. They differ for each start, since an earlier start's hashes may still exist. */
function hashesOf(starts: number, values: object & { [Field in keyof typeof unique]?: unknown }) {
  const fields = Object.keys(unique) as (keyof typeof unique)[];
  return fields.flatMap((field) => {
    const name = unique[field];
    const given = [values[field] ?? []].flat().filter((value) => typeof value === 'string');
    return given.map((value) => ({
      field,
      hash: hash(`${starts} ${name} ${name === 'email' ? value.toLowerCase() : value}`),
    }));
  });
}

/** 64 bits: among a million rows, a collision is practically impossible. */
function hash(text: string): string {
  return createHash('sha256').update(text).digest().readBigInt64LE().toString();
}
