import type { Input, OperationContext, Result } from '../http/operation.ts';
import { countCurrent, countStays, statuses } from './queries.ts';
import { report } from './report.ts';

export async function getTimeInStatus(
  { query }: Input<'getTimeInStatus'>,
  context: OperationContext,
): Promise<Result<'getTimeInStatus'>> {
  const { data, meta } = await report(query, context, async ({ db, facts, leadsUrl }) => {
    const current = await countCurrent(db, facts);
    const staysIn = await countStays(db, facts);
    return statuses.map((status) => {
      const { entered, exited, mean, median, p90 } = staysIn(status);
      return {
        status,
        entered,
        exited,
        current: current.get(status) ?? 0,
        mean_seconds: mean,
        median_seconds: median,
        p90_seconds: p90,
        leads_url: leadsUrl(null, { status }),
      };
    });
  });
  return { status: 200, body: { data, meta } };
}
