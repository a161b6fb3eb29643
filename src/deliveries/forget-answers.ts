import type { Db } from '../db/knex.ts';
import type { Result } from './disable-failing.ts';
import { holdPeople, type Outcome } from './queries.ts';

/**
 * What came of the attempts, without the answers about people who were deleted meanwhile: their erasure has already gone
 * over the log of attempts.
 */
export async function forgetAnswers(trx: Db, results: readonly Result[]): Promise<Outcome[]> {
  const people = new Set(results.filter(mayTell).map(({ delivery }) => delivery.resource_id));
  const held = people.size === 0 ? people : await holdPeople(trx, [...people]);
  return results.map((result) =>
    mayTell(result) && !held.has(result.delivery.resource_id)
      ? { ...result.outcome, response_body: null }
      : result.outcome,
  );
}

/** Whether the receiver was sent a person's data and has said something. A `.deleted` event has nothing but an id. */
function mayTell({ delivery: { event_type: type }, outcome: { response_body: answer } }: Result): boolean {
  return answer !== null && answer !== '' && /^(lead|contact)\.(?!deleted$)/.test(type);
}
