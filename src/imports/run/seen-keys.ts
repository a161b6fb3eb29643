import { createHash } from 'node:crypto';
import type { Db } from '../../db/db.ts';
import { invalidField, Problem } from '../../problem.ts';
import type { Outcome } from '../../resource/write-many.ts';
import { addKeys, findSeenKeys } from '../queries.ts';
import type { ImportRow } from '../tables.ts';
import type { Item } from './check-bodies.ts';
import type { Seen, WrittenRow } from './write-rows.ts';

type Run = Pick<ImportRow, 'id' | 'options' | 'state'>;

const unique = ['email', 'external_id', 'slug'] as const;

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
  const hashes = items.map((item) => (item instanceof Problem ? {} : hashesOf(starts, item)));
  const seen = await findSeenKeys(
    db,
    id,
    hashes.flatMap((each) => Object.values(each)),
  );
  return hashes.map((each) => {
    const known = unique.filter((column) => seen.has(each[column] ?? ''));
    if (on_duplicate !== 'reject' && known.includes(match)) {
      const status = on_duplicate === 'ignore' ? 'unchanged' : 'updated';
      return { status, earlierRow: seen.get(each[match] ?? '') as number };
    }
    const [column] = known;
    return (
      column &&
      invalidField(column, `is already used by another ${singular[resource]}`, `duplicate_${column}`)
    );
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
    const created = outcome.status === 'created' ? Object.values(hashesOf(starts, outcome.row)) : [];
    const hashes = [...created, hashOfId(starts, outcome.row.id)];
    return hashes.map((hash) => ({ hash, row: numbers[index] as number }));
  });
  await addKeys(db, id, keys);
}

/** Stands for a resource (UUID) that exists. */
export function hashOfId(starts: number, id: string): string {
  return hash(`${starts} id ${id}`);
}

/** Hashes of the unique values, by column. They differ for each start, since an earlier start's hashes may still exist. */
function hashesOf(
  starts: number,
  values: object & { email?: unknown; external_id?: unknown; slug?: unknown },
): Record<string, string> {
  const given = unique.filter((column) => typeof values[column] === 'string');
  return Object.fromEntries(
    given.map((column) => {
      const value = String(values[column]);
      return [column, hash(`${starts} ${column} ${column === 'email' ? value.toLowerCase() : value}`)];
    }),
  );
}

/** 64 bits: among a million rows, a collision is practically impossible. */
function hash(text: string): string {
  return createHash('sha256').update(text).digest().readBigInt64LE().toString();
}
