import type { Input, OperationContext, Result } from '../http/operation.ts';
import { countLeads, countStays, noLeads, statuses } from './queries.ts';
import { report } from './report.ts';

/** The years that PostgreSQL and toISOString write alike. */
const ALWAYS = { begin: Date.parse('0001-01-01'), end: Date.parse('9999-12-31') };

export async function getTimeInStatus(
  { query }: Input<'getTimeInStatus'>,
  context: OperationContext,
): Promise<Result<'getTimeInStatus'>> {
  const { data, meta } = await report(query, context, async ({ db, facts, factsOf, leadsUrl }) => {
    const current = (await countLeads(db, factsOf(ALWAYS), 'none')).get('none') ?? noLeads;
    const stays = await countStays(db, facts);
    return statuses.map((status) => ({
      status,
      entered: stays.get(status)?.entered ?? 0,
      exited: stays.get(status)?.exited ?? 0,
      current: current[`in_${status}`],
      mean_seconds: stays.get(status)?.mean ?? null,
      median_seconds: stays.get(status)?.median ?? null,
      p90_seconds: stays.get(status)?.p90 ?? null,
      leads_url: leadsUrl(null, { status }),
    }));
  });
  return { status: 200, body: { data, meta } };
}
