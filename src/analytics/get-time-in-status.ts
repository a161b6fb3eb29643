import type { Input, OperationContext, Result } from '../http/operation.ts';
import { countCurrent, countEntries, countStays, statuses } from './change-queries.ts';
import { report } from './report.ts';

export async function getTimeInStatus(
  { query }: Input<'getTimeInStatus'>,
  context: OperationContext,
): Promise<Result<'getTimeInStatus'>> {
  const { data, meta } = await report(query, context, async ({ db, subject, leadsUrl }) => {
    const current = await countCurrent(db, subject.conditions);
    const entered = await countEntries(db, subject);
    const stays = await countStays(db, subject);
    return statuses.map((status) => ({
      status,
      entered: entered.get(status) ?? 0,
      exited: stays.get(status)?.exited ?? 0,
      current: current.get(status) ?? 0,
      mean_seconds: stays.get(status)?.mean ?? null,
      median_seconds: stays.get(status)?.median ?? null,
      p90_seconds: stays.get(status)?.p90 ?? null,
      leads_url: leadsUrl(null, { status }),
    }));
  });
  return { status: 200, body: { data, meta } };
}
