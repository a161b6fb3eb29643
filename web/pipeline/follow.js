/** @import { Api, FeedPage, HistoryEvent } from './api.js' */
import { ApiError, sleep } from './api.js';

/** Polling interval of the log. Milliseconds. */
const INTERVAL = 3_000;
/** With more new events than this, reading everything again is cheaper than following them. */
const LIMIT = 100;

/** The compiler checks that no type of a lead's history is missing. */
const types = Object.keys(
  /** @satisfies {Record<HistoryEvent['type'], true>} */ ({
    'lead.created': true,
    'lead.updated': true,
    'lead.status_changed': true,
    'lead.reopened': true,
    'lead.next_step_due': true,
    'lead.sales_cycle_corrected': true,
    'lead.sales_cycle_deleted': true,
    'lead.assigned': true,
    'lead.converted': true,
    'lead.returned': true,
    'lead.merged': true,
    'lead.deleted': true,
    'note.created': true,
    'note.updated': true,
    'note.deleted': true,
  }),
);

/**
 * Follows the event log while the tab is visible. Calls `onStart` once it has a cursor for the log's end, so that data read
 * then misses no event. Calls it again if too much has happened to follow.
 * @param {Api} api
 * @param {{ onStart(): void, onEvents(events: HistoryEvent[]): void }} listener
 */
export async function follow(api, { onStart, onEvents }) {
  let after = 'latest';
  for (;;) {
    await untilVisible();
    const page = await readFeed(api, after);
    const isStart = after === 'latest';
    if (page === undefined || (page.meta.has_more && !isStart)) {
      after = 'latest';
      continue;
    }
    if (isStart) onStart();
    else if (page.data.length > 0) onEvents(page.data);
    after = page.meta.next_cursor;
    await sleep(INTERVAL);
  }
}

/**
 * Undefined if the cursor is too old, or the service was restored from a backup.
 * @param {Api} api
 * @param {string} after
 * @returns {Promise<FeedPage | undefined>}
 */
async function readFeed(api, after) {
  try {
    return await api.get(`/events?event_types=${types.join()}&per_page=${LIMIT}&cursor=${after}`);
  } catch (error) {
    if (error instanceof ApiError && error.status === 410) return undefined;
    throw error;
  }
}

/** @returns {Promise<void>} */
function untilVisible() {
  return new Promise((resolve) => {
    const check = () => {
      if (document.hidden) return;
      document.removeEventListener('visibilitychange', check);
      resolve();
    };
    document.addEventListener('visibilitychange', check);
    check();
  });
}
