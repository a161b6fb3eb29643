/** @import { HistoryEvent } from './api.js' */
import { isolate } from './dom.js';

/**
 * Who did something: the user, and the client through which they did it.
 * @param {HistoryEvent['actor']} actor
 * @returns {(Node | string)[]}
 */
export function nameActor({ type, id, name, user_id: userId, user_name: userName }) {
  if (type === 'system') return ['the service'];
  const client = name || id;
  const through = client === null ? [] : [isolate(client)];
  if (userId === null) return through;
  return [isolate(userName || userId), ...(through.length > 0 ? [' through ', ...through] : [])];
}
