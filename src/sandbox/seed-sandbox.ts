import { requireRoom, tryToCreateJob } from '../bulk-jobs/create-job.ts';
import { acceptedJob } from '../bulk-jobs/job.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { newUuid } from '../values/id.ts';
import { alreadySeeded, rejectUsed, sizesOf } from './seed.ts';

/** Queues a job that adds the data. */
export async function seedSandbox(
  { body: { seed, leads } }: Input<'seedSandbox'>,
  context: OperationContext,
): Promise<Result<'seedSandbox'>> {
  const { db, requestId, baseUrl } = context;
  const id = newUuid();
  await requireRoom(context);
  await rejectUsed(db, { seed, leads, id, requestId, now: Date.now() });
  // The contacts of converted leads are counted as they are made.
  const totals = { ...sizesOf({ leads }), leads, contacts: 0 };
  const options = { filter: null, action: { seed: { seed, leads } } };
  const job = await tryToCreateJob(
    { id, kind: 'seed', options, exclusive_key: String(seed), dry_run: false, totals },
    context,
  );
  // Another job with this seed has not ended yet.
  if (job === undefined) throw alreadySeeded();
  return acceptedJob(job, baseUrl);
}
