import { isDeepStrictEqual } from 'node:util';
import { type ApiRequest, send, type Target } from './load.ts';
import type { Measure } from './measures.ts';
import type { Contestant } from './processes.ts';

/**
 * Throws unless the yardstick answers the measure's request with the same JSON as the API and, if it writes, records the
 * same event. What differs between any two such requests counts as the same: new ids, times and unique values.
 */
export async function checkSame(measure: Measure, api: Contestant, yardstick: Contestant): Promise<void> {
  const outcomeOf = async (contestant: Contestant) => {
    const request = measure.next(contestant.cursors, 0);
    return comparable(await outcome(contestant, request, api), request.method !== 'GET');
  };
  // Once before, so that a PATCH finds the value of another PATCH.
  await outcomeOf(api);
  const expected = await outcomeOf(api);
  const found = await outcomeOf(yardstick);
  if (isDeepStrictEqual(found, expected)) return;
  throw new Error(
    `${measure.name}: the API answers\n${JSON.stringify(expected)}\nbut the yardstick\n${JSON.stringify(found)}`,
  );
}

/** The answer, and the latest event about the row that it wrote, as the API shows it. */
async function outcome(target: Target, request: ApiRequest, api: Target): Promise<unknown> {
  const answer = await send(target, request);
  if (request.method === 'GET') return answer;
  const { data } = answer as { data: { id: string } };
  const events = await send(api, { method: 'GET', path: `/events?resource_id=${data.id}` });
  const { type, data: change } = (events as { data: { type: string; data: object }[] }).data.at(-1) ?? {};
  return { answer, event: { type, change } };
}

/** A cursor is text that only the server that wrote it can read. */
function comparable(value: unknown, isWrite: boolean): unknown {
  return JSON.parse(JSON.stringify(value), (field, each) => {
    if (field === 'next_cursor') return typeof each;
    return isWrite && (typeof each === 'string' || typeof each === 'number') ? shapeOf(String(each)) : each;
  });
}

/** The text without random ids and numbers. */
function shapeOf(text: string): string {
  return text
    .replaceAll(/_[0-9a-hjkmnp-tv-z]{26}\b/g, '_id')
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'uuid')
    .replaceAll(/\d+/g, '0');
}
