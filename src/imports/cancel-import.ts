import { ok } from '../http/responses.ts';
import { cancelJob, endJob } from '../jobs/end-job.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { lockOrThrow } from '../resource/rows.ts';
import { cleanUpImport } from './clean-up.ts';
import { requireScopes, toImport, wasTried } from './import.ts';
import { imports } from './queries.ts';

/** Also cancels completed dry runs, which still have their rows. Waits for a running chunk, which locks the import. */
export async function cancelImport(
  input: Pick<Input<'cancelImport'>, 'path' | 'headers'>,
  { db, principal }: Pick<OperationContext, 'db' | 'principal'>,
): Promise<Result<'cancelImport'>> {
  const before = await lockOrThrow(db, imports, input);
  requireScopes(principal, before.options.resource, 'write');
  const kind = { resource: imports, cleanUp: cleanUpImport };
  const cancelled = wasTried(before)
    ? await endJob(db, kind, before, 'cancelled')
    : await cancelJob(db, kind, before, ['id', 'import', 'wrong_import_status']);
  return ok(toImport(cancelled));
}
