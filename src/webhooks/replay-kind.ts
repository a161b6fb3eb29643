import { operations } from '../../generated/operations.ts';
import { DELIVERIES } from '../events/channels.ts';
import type { Kind } from '../jobs/run-step.ts';
import { requireAny } from '../scopes.ts';
import { countDue, insertReplayDeliveries } from './replay-events-queries.ts';
import { isReady, rememberLosses, replays } from './replay-queries.ts';
import type { ReplayRow } from './tables.ts';

/** Events read per transaction. */
const BATCH = 1_000;
/** Maximum due deliveries per webhook; a replay pauses once they are reached. */
const MAX_DUE = 2_000;

/**
 * Replays. The size of one affects neither the delivery queue nor a transaction. It waits while its webhook is paused or
 * disabled, as its deliveries do.
 */
export const replayKind: Kind<ReplayRow> = {
  resource: replays,
  requireScopes: (principal) => requireAny(principal, operations.createWebhookReplay.scopes),
  async runChunk(trx, replay) {
    if (!(await isReady(trx, replay))) return undefined;
    if ((await countDue(trx, replay.webhook_id, MAX_DUE)) === MAX_DUE) return undefined;
    const { last, read, created, hurried } = await insertReplayDeliveries(trx, replay, BATCH);
    trx.notify(DELIVERIES);
    const { state, counts } = replay;
    return {
      changes: {
        state: { ...state, after_event_id: last ?? state.after_event_id },
        counts: {
          events_read: counts.events_read + read,
          deliveries_created: counts.deliveries_created + created,
          deliveries_hurried: counts.deliveries_hurried + hurried,
        },
      },
      isLast: last === null,
    };
  },
  async cleanUp(trx, replay, status) {
    if (status !== 'completed') await rememberLosses(trx, replay);
    return {};
  },
};
