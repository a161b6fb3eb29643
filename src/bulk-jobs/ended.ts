import { NOW } from '../db/row-statements.ts';
import type { BulkJobRow } from './tables.ts';

/** Fields of a patch whose texts may name a person. */
const texts = ['company', 'title', 'lost_reason', 'source_detail', 'metadata'];
/** Stands for a text that is not kept. */
const REMOVED = '…';

/** The columns of a job that ends. Nobody needs the texts in its action any more. */
export function ended<Status extends 'completed' | 'cancelled' | 'failed'>(
  { action }: Pick<BulkJobRow, 'action'>,
  status: Status,
) {
  return { status, finished_at: NOW, action: withoutTexts(action) } as const;
}

function withoutTexts({ update, ...others }: BulkJobRow['action']): BulkJobRow['action'] {
  if (update === undefined) return others;
  const kept = Object.entries(update).map(([field, value]) => [
    field,
    texts.includes(field) ? remove(value) : value,
  ]);
  return { ...others, update: Object.fromEntries(kept) };
}

/** Null clears a field, and is no text. */
function remove(value: unknown): unknown {
  if (typeof value === 'string') return REMOVED;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, own]) => [key, remove(own)]));
}
