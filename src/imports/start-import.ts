import { updateRow } from '../db/resource.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { invalidField } from '../problem.ts';
import { lockOrThrow } from '../resource/rows.ts';
import { requireAnyScope, requireScopes, requireUsersScope, toImport } from './import.ts';
import { checkOptions, matchFor, unusedColumns, withMapping } from './mapping/mapping.ts';
import { requirePastScope } from './mapping/past-times.ts';
import { imports, lockChunk } from './queries.ts';
import { deleteResults } from './result-queries.ts';

export async function startImport(
  { path, body }: Input<'startImport'>,
  { db, principal }: OperationContext,
): Promise<Result<'startImport'>> {
  requireAnyScope(principal, 'write');
  const before = await lockOrThrow(db, imports, { path, headers: {} });
  requireScopes(principal, before.resource, 'write');
  const wasTried = before.status === 'completed' && before.dry_run;
  if (before.status !== 'draft' && before.status !== 'queued' && !wasTried) {
    const message = "This import can't be started: only drafts, queued imports and completed dry runs can.";
    throw invalidField('id', message, 'wrong_import_status');
  }
  if ((await lockChunk(db, before.id, 0)) === undefined) {
    const message =
      'The rows of this import have been deleted (they are kept for 7 days). Upload the file again.';
    throw invalidField('id', message, 'wrong_import_status');
  }
  const options = {
    mapping: withMapping(before.columns, before.mapping, body.mapping),
    defaults: body.defaults ?? before.defaults,
    match: body.match === undefined ? before.match : matchFor(before.resource, body.match),
    on_duplicate: body.on_duplicate ?? before.on_duplicate,
    create_users: body.create_users ?? before.create_users,
    dry_run: body.dry_run,
  };
  checkOptions({ ...before, ...options });
  requirePastScope(principal, { resource: before.resource, ...options });
  requireUsersScope(principal, options.create_users);
  const hints = new Map(before.findings.unused_columns.map(({ column, hint }) => [column, hint]));
  await deleteResults(db, before.id);
  const nothingDone = { rows_done: 0, created: 0, updated: 0, unchanged: 0, failed: 0, warned: 0 };
  const row = await updateRow(db, imports, before.id, {
    ...options,
    ...nothingDone,
    findings: { ...before.findings, unused_columns: unusedColumns(before.columns, options.mapping, hints) },
    status: 'queued',
    failures: {},
    errors_kept: 0,
    warnings_kept: 0,
    rejected_width: 0,
    starts: before.starts + 1,
    next_chunk: 0,
    attempts: 0,
    started_at: null,
    finished_at: null,
    failure_reason: null,
  });
  return { status: 202, body: { data: toImport(row) } };
}
