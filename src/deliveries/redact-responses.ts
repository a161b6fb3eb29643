import type { Db } from '../db/db.ts';
import type { AttemptResult } from './disable-failing.ts';
import type { AttemptOutcome } from './outcome-queries.ts';
import { lockPeople } from './queries.ts';

/**
 * Removes the response bodies of attempts about people who were deleted meanwhile: their erasure has already processed the
 * log of attempts.
 */
export async function redactResponses(trx: Db, results: readonly AttemptResult[]): Promise<AttemptOutcome[]> {
  const people = new Set(results.filter(mayIdentify).map(({ delivery }) => delivery.resource_id));
  const existing = people.size === 0 ? people : await lockPeople(trx, [...people]);
  return results.map((result) =>
    mayIdentify(result) && !existing.has(result.delivery.resource_id)
      ? { ...result.outcome, response_body: null }
      : result.outcome,
  );
}

/** Whether the receiver got a person's data and sent a response body. A `.deleted` event contains only an id. */
function mayIdentify({
  delivery: { event_type: type },
  outcome: { response_body: body },
}: AttemptResult): boolean {
  return body !== null && body !== '' && /^(lead|contact|note|user)\.(?!deleted$)/.test(type);
}
