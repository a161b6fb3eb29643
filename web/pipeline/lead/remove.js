/** @import { Api, Lead } from '../api.js' */
/** @import { Undo } from '../undo.js' */
import { ApiError, describe } from '../api.js';
import { isolate } from '../dom.js';
import { showNotice } from '../notice.js';

/**
 * Returns a function that deletes a lead. The API can't undo that, so the page waits before it does it.
 * @param {Api} api
 * @param {{ undo: Undo, close(): void, onChange(): unknown }} page
 */
export function createRemoval(api, { undo, close, onChange }) {
  /** @param {Lead} lead */
  return function remove(lead) {
    close();
    undo.delay(
      async () => {
        try {
          await api.write('DELETE', `/leads/${lead.id}`, { version: lead.version });
          onChange();
        } catch (error) {
          showNotice(isolate(lead.name), ...refusal(error));
        }
      },
      ...[isolate(lead.name), ' will be deleted in 15 seconds.'],
    );
  };
}

/** @param {unknown} error */
function refusal(error) {
  if (error instanceof ApiError && error.status === 412)
    return [' was not deleted, because someone else has changed this lead in the meantime.'];
  return [` was not deleted. ${describe(error)}`];
}
