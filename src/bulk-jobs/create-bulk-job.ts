import { typed } from '../metadata/queries.ts';
import type { Input, OperationContext, Result, Schema } from '../operation.ts';
import { invalidField, invalidFields, Problem, problemAt } from '../problem.ts';
import { newUuid } from '../values/id.ts';
import { createJob, requireRoom } from './create-job.ts';
import { checkFilter, keptFilter } from './filter.ts';
import { acceptedJob, requireScopes } from './job.ts';
import { storeMatching } from './queries.ts';
import { changeable, personalFields } from './resources.ts';

type Body = Input<'createBulkJob'>['body'];

/** The total shows how many rows match, so a client must be able to read them. */
export async function createBulkJob(
  { body }: Pick<Input<'createBulkJob'>, 'body'>,
  context: OperationContext,
): Promise<Result<'createBulkJob'>> {
  const { db, principal, baseUrl } = context;
  const { resource, filter, dry_run } = body;
  requireScopes(principal, [resource], 'read', 'write');
  const matching = await checkFilter(db, body);
  const action = await checkAction(body, context);
  checkIsMeant(body);
  await requireRoom(context);
  const id = newUuid();
  const { rows } = await storeMatching(db, id, resource, {
    source: changeable[resource].source,
    ...matching,
  });
  checkTotal(body, rows);
  const job = await createJob(
    {
      id,
      kind: action.update === undefined ? 'delete' : 'update',
      options: { ...keptFilter(filter), action },
      dry_run,
      totals: { [resource]: rows },
    },
    context,
  );
  return acceptedJob(job, baseUrl);
}

/** The action with its patch as a single request would write it. Throws 422. */
async function checkAction(
  { resource, action }: Body,
  context: OperationContext,
): Promise<Schema<'BulkJobAction'>> {
  const { update } = action;
  if (update === undefined) return { delete: true };
  const { checkPatch, checkReferences } = changeable[resource];
  const personal = personalFields(update);
  if (personal.length > 0) {
    const message = 'belongs to one person, so a job cannot set it';
    throw invalidFields(Object.fromEntries(personal.map((field) => [`action.update.${field}`, [message]])));
  }
  try {
    const patch = checkPatch(update, context);
    await checkReferences(context.db, patch);
    await typed(context.db, resource, patch, {});
    return { update: patch as Record<string, unknown> };
  } catch (error) {
    throw error instanceof Problem ? problemAt('action.update', error) : error;
  }
}

/** A forgotten filter must not change everything. */
function checkIsMeant({ resource, filter, expected_total }: Body): void {
  if (Object.keys(filter).length > 0 || expected_total !== undefined) return;
  throw invalidField(
    'expected_total',
    `is required with an empty filter, since the job would change all ${resource}`,
  );
}

function checkTotal({ resource, expected_total: expected }: Body, rows: number): void {
  if (expected === undefined || expected === rows) return;
  throw invalidField('expected_total', `is ${expected}, but the filter matches ${rows} ${resource}`);
}
