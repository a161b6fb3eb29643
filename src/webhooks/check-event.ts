import type { Db } from '../db/db.ts';
import { RETENTION_DAYS } from '../events/retention.ts';
import type { Schema } from '../operation.ts';
import { invalidField } from '../problem.ts';
import { toUuid } from '../values/id.ts';
import { wordingFor } from './criteria.ts';
import { checkCriteria } from './criteria-queries.ts';
import { toPaths } from './lead-filter.ts';
import type { WebhookRow } from './tables.ts';

const reasons: Record<string, string> = {
  status: 'The service has disabled the webhook, so it collects no events. Enable it first.',
  recipient: 'This event is about one webhook, and goes to others only.',
  event_types: 'The event is of a type that event_types does not include.',
  exclude_own: 'The client that created the webhook caused the event, and exclude_own is true.',
  exclude_actor_ids: 'A client or hook in exclude_actor_ids caused the event.',
  changed: 'The event changed none of the fields in changed.',
  filter: 'Neither the lead after the event nor the lead before it matches all of the filter together.',
};

/** Whether the webhook would get the event now. Throws 422 for an event that is not in the log. */
export async function checkEvent(
  db: Db,
  { id, status, filter }: WebhookRow,
  eventId: string,
): Promise<Schema<'WebhookCheck'>> {
  const paths = filter === null ? [] : toPaths(filter, await wordingFor(db, filter));
  const uuid = toUuid('event', eventId);
  const checked =
    uuid && (await checkCriteria(db, { webhookId: id, eventId: uuid, paths: paths.map(([, path]) => path) }));
  if (!checked)
    throw invalidField('event_id', `must be the id of an event of the last ${RETENTION_DAYS} days`);
  const names = paths
    .map(([name]) => `filter.${name}`)
    .filter((_, index) => checked.matches[index] === false);
  const criterion = status === 'disabled' ? 'status' : checked.unmet;
  return {
    event_id: eventId,
    delivered: criterion === null,
    ...describe(criterion, names, status),
  };
}

function describe(criterion: string | null, filters: readonly string[], status: WebhookRow['status']) {
  if (criterion === null) {
    const waits = status === 'paused' ? ' It is paused, so the event would wait until you enable it.' : '';
    return { unmet: [], reason: `The webhook would get this event.${waits}` };
  }
  if (criterion !== 'filter' || filters.length === 0)
    return { unmet: [criterion], reason: reasons[criterion] ?? '' };
  const reason = `Neither the lead after the event nor the lead before it matches ${filters.join(' or ')}.`;
  return { unmet: [...filters], reason };
}
