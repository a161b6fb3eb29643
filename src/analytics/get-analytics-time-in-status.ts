import { schemas } from '../../generated/limits.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { countChanges } from './change-queries.ts';
import { countCurrent } from './open-queries.ts';
import { report } from './report.ts';
import { answerReport } from './report-file.ts';

export async function getAnalyticsTimeInStatus(
  { query }: Input<'getAnalyticsTimeInStatus'>,
  context: OperationContext,
): Promise<Result<'getAnalyticsTimeInStatus'>> {
  const { body } = await report(query, context, async ({ db, subject, leadsUrl }) => {
    const current = await countCurrent(db, subject.conditions);
    const changes = await countChanges(db, subject);
    return schemas.LeadStatus.enum.map((status) => ({
      status,
      entered: changes.get(status)?.entered ?? 0,
      exited: changes.get(status)?.exited ?? 0,
      open_current: current.get(status) ?? 0,
      mean_seconds: changes.get(status)?.mean ?? null,
      median_seconds: changes.get(status)?.median ?? null,
      p90_seconds: changes.get(status)?.p90 ?? null,
      leads_url: leadsUrl(null, { status }),
    }));
  });
  return answerReport(context, 'time-in-status', body);
}
