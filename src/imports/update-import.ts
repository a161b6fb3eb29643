import { updateRow } from '../db/resource.ts';
import { ok } from '../http/responses.ts';
import { grantColumns } from '../jobs/grant.ts';
import { findDeclared } from '../metadata/queries.ts';
import type { Input, OperationContext, Result, Schema } from '../operation.ts';
import { applyPatch, differences } from '../values/merge-patch.ts';
import { toImport } from './import.ts';
import { isOfFile } from './mapping/doubts.ts';
import { checkColumns, checkOptions, toMapping } from './mapping/mapping.ts';
import { requireScopesOf } from './mapping/past-times.ts';
import { afterDecision } from './mapping/propose-mapping.ts';
import { checkReading } from './options.ts';
import { imports } from './queries.ts';
import { lockStartable } from './startable.ts';
import { firstRows } from './stored-rows.ts';
import { studyAgain } from './study/study-file.ts';
import type { Findings, ImportOptions, ImportRow } from './tables.ts';

type UpdateContext = Pick<OperationContext, 'db' | 'principal' | 'actor' | 'checkBody' | 'checkItem'>;

/** The results of a dry run stay, since they tell what the client wants to change. */
export async function updateImport(
  input: Pick<Input<'updateImport'>, 'path' | 'headers' | 'body'>,
  context: UpdateContext,
): Promise<Result<'updateImport'>> {
  const { db, principal } = context;
  const before = await lockStartable(context, input, 'changed');
  const { decided, ...patch } = patched(before.options, input.body);
  const after = { ...before.options, ...patch };
  const isQueued = before.status === 'queued';
  checkReading(after);
  // What has not started need not be complete.
  checkOptions({ ...after, on_duplicate: isQueued ? after.on_duplicate : 'reject' });
  requireScopesOf(principal, after);
  const findings = await findingsOf(before, { ...after, decided }, context);
  const changes = differences(before.options, { ...patch, findings });
  if (Object.keys(changes).length === 0) return ok(toImport(before));
  // The rows of a queued import are imported as its last client may.
  const grant = isQueued && grantColumns(context);
  const options = { ...before.options, ...changes };
  return ok(toImport(await updateRow(db, imports, before.id, { options, ...grant })));
}

/** The options after the change. `decided` are the columns that clients have mapped or ignored. */
function patched(
  { columns, mapping, findings, ...before }: ImportOptions,
  { mapping: given = {}, ...patch }: Schema<'UpdateImport'>,
): Pick<ImportOptions, 'mapping' | 'defaults' | 'values' | 'locale' | 'default_country'> &
  Pick<Findings, 'decided'> {
  checkColumns(columns, given);
  const proposed = afterDecision(mapping, given, findings.decided);
  const country = patch.default_country;
  return {
    mapping: toMapping(columns, (column) =>
      Object.hasOwn(given, column) ? given[column] : proposed[column],
    ),
    decided: [...new Set([...findings.decided, ...Object.keys(given)])],
    defaults: applyPatch(before.defaults, patch.defaults),
    values: applyPatch(before.values, patch.values),
    locale: patch.locale === undefined ? before.locale : patch.locale,
    default_country: country === undefined ? before.default_country : (country?.toUpperCase() ?? null),
  };
}

/** Doubts about the file stay: only who starts the import can answer them. */
async function findingsOf(
  before: ImportRow,
  after: ImportOptions & Pick<Findings, 'decided'>,
  context: UpdateContext,
): Promise<Findings> {
  const { columns, findings } = before.options;
  const { warnings, doubts } = findings;
  const hasHeader = !warnings.some(({ code }) => code === 'no_header');
  const file = { columns, sample: await firstRows(context.db, before), hasHeader };
  const declared = await findDeclared(context.db, after.resource);
  const study = await studyAgain(file, findings, after, { checks: context, declared });
  return { ...study, warnings, doubts: [...study.doubts, ...doubts.filter(isOfFile)] };
}
