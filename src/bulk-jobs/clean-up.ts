import type { CleanUp } from '../jobs/end-job.ts';
import { deleteChunks } from './queries.ts';
import type { BulkJobRow } from './tables.ts';

/** Fields of a patch whose texts may name a person. */
const texts = ['company', 'title', 'lost_reason', 'source_detail', 'next_step', 'metadata'];

/** Deletes the chunks of a job that ends early, and the texts in its action: nobody needs them any more. */
export const cleanUpBulkJob: CleanUp<BulkJobRow> = async (trx, { id, options }, status) => {
  if (status !== 'completed') await deleteChunks(trx, id);
  const { update, ...others } = options.action;
  if (update === undefined) return {};
  const removed: string[] = [];
  const kept = Object.entries(update).map(([field, value]) => [
    field,
    texts.includes(field) ? withoutTexts(value, `action.update.${field}`, removed) : value,
  ]);
  const action = { ...others, update: Object.fromEntries(kept) };
  return { options: { ...options, action, redacted: [...options.redacted, ...removed] } };
};

/** With null instead of texts. Adds their places to `removed`: any other null clears a field. */
function withoutTexts(value: unknown, place: string, removed: string[]): unknown {
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    return Object.fromEntries(
      entries.map(([key, own]) => [key, withoutTexts(own, `${place}.${key}`, removed)]),
    );
  }
  if (typeof value !== 'string') return value;
  removed.push(place);
  return null;
}
