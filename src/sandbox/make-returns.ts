import type { Change } from '../db/many-rows.ts';
import { updatedEvents } from '../events/record-change.ts';
import { toLead } from '../leads/lead.ts';
import type { LeadRow } from '../leads/tables.ts';
import { DAY } from '../values/time.ts';
import { pastEvent } from './make-events.ts';
import { type Source, toTimestamp } from './make-fixtures.ts';
import type { PastEvent } from './queries.ts';

/** Percent of the won leads that come back, and after how many days. */
const RETURN_RATE = 25;
const MIN_DAYS = 7;
const MAX_DAYS = 21;

/** The next sales cycles of customers who come back before the end of the period. */
export function makeReturns({ random, end }: Source, rows: readonly LeadRow[]): Change<LeadRow>[] {
  // In an order that does not depend on the ids.
  return rows
    .filter(({ status }) => status === 'won')
    .sort((one, other) => (one.email < other.email ? -1 : 1))
    .flatMap((before) => {
      const at = Date.parse(before.status_changed_at) + random.int(MIN_DAYS * DAY, MAX_DAYS * DAY);
      if (!random.chance(RETURN_RATE) || at > end) return [];
      const amount = random.int(5, 400) * 50;
      const changes = {
        status: random.pick(['new', 'contacted', 'qualified'] as const),
        status_changed_at: toTimestamp(at),
        value_amount: before.value_currency && `${amount}.00`,
        expected_close_on: null,
      };
      return [{ before, changes }];
    });
}

/** The events of the return, at the time when the lead was reopened. */
export function returnEvents(before: LeadRow, after: LeadRow): PastEvent[] {
  return updatedEvents('lead', toLead(before), toLead(after)).map((event) =>
    pastEvent(event, after.id, after.updated_at),
  );
}
