import { eventTypes } from '../../generated/event-types.ts';
import type { Result } from '../operation.ts';

export async function listEventTypes(): Promise<Result<'listEventTypes'>> {
  return { status: 200, body: { data: eventTypes, meta: { total: eventTypes.length } } };
}
