import type { Db } from '../db/db.ts';
import { updateRow } from '../db/resource.ts';
import type { RowValues } from '../db/row-statements.ts';
import { grantColumns } from '../jobs/grant.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { invalidField } from '../problem.ts';
import { lockOrThrow } from '../resource/rows.ts';
import { requireAnyScope, requireScopes, toImport, wasTried } from './import.ts';
import { leaveOutFooter } from './leave-out-footer.ts';
import { footerWarning } from './mapping/footer.ts';
import { checkOptions, matchFor, unusedColumns, withMapping } from './mapping/mapping.ts';
import { requireScopesOf } from './mapping/past-times.ts';
import { checkReading } from './options.ts';
import { imports, lockChunk } from './queries.ts';
import { deleteResults } from './result-queries.ts';
import type { ImportRow } from './tables.ts';

export async function startImport(
  { path, body }: Pick<Input<'startImport'>, 'path' | 'body'>,
  context: OperationContext,
): Promise<Result<'startImport'>> {
  const { db, principal } = context;
  requireAnyScope(principal, 'write');
  const before = await lockOrThrow(db, imports, { path, headers: {} });
  requireScopes(principal, before.resource, 'write');
  await checkStatus(db, before);
  const { resource } = before;
  const country = body.default_country === undefined ? before.default_country : body.default_country;
  const options = {
    mapping: withMapping(before.columns, before.mapping, body.mapping),
    defaults: body.defaults ?? before.defaults,
    values: body.values ?? before.values,
    locale: body.locale === undefined ? before.locale : body.locale,
    default_country: country?.toUpperCase() ?? null,
    match: body.match === undefined ? before.match : matchFor(resource, body.match),
    on_duplicate: body.on_duplicate ?? before.on_duplicate,
    create_users: body.create_users ?? before.create_users,
    dry_run: body.dry_run,
  };
  checkReading({ resource, ...options });
  checkOptions({ ...before, ...options });
  requireScopesOf(principal, { resource, ...options });
  await deleteResults(db, before.id);
  const footer = body.accept_doubts?.includes('footer') ? await leaveOutFooter(db, before) : [];
  const row = await updateRow(db, imports, before.id, {
    ...options,
    ...notBegun(before),
    rows_total: before.rows_total - footer.length,
    findings: findingsWith(before, options.mapping, body.mapping, footer),
    status: 'queued',
    ...grantColumns(context),
  });
  return { status: 202, body: { data: toImport(row) } };
}

async function checkStatus(db: Db, before: ImportRow): Promise<void> {
  const { status, format } = before;
  if (status !== 'draft' && status !== 'queued' && !wasTried(before)) {
    throw wrongStatus(
      "This import can't be started: only drafts, queued imports and completed dry runs can.",
    );
  }
  if (format === null) {
    throw wrongStatus('This draft waits for its file. Send it with PUT /imports/{id}/file first.');
  }
  if ((await lockChunk(db, before.id, 0)) === undefined) {
    throw wrongStatus(
      'The rows of this import have been deleted (they are kept for 7 days). Upload the file again.',
    );
  }
}

function wrongStatus(message: string) {
  return invalidField('id', message, 'wrong_import_status');
}

/** The columns of an import that runs from its first row. */
export function notBegun({ starts }: ImportRow): RowValues<ImportRow> {
  return {
    rows_done: 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    failed: 0,
    warned: 0,
    failures: {},
    errors_kept: 0,
    warnings_kept: 0,
    rejected_width: 0,
    starts: starts + 1,
    next_chunk: 0,
    attempts: 0,
    started_at: null,
    finished_at: null,
    failure_code: null,
    failure_reason: null,
  };
}

/** Without doubts that somebody has decided about, and with the columns that are unused now. */
function findingsWith(
  { findings, columns }: ImportRow,
  mapping: ImportRow['mapping'],
  decided: ImportRow['mapping'] = {},
  footer: readonly number[] = [],
): ImportRow['findings'] {
  const [first, last] = [footer[0], footer.at(-1)];
  const hints = new Map(findings.unused_columns.map(({ column, hint }) => [column, hint]));
  return {
    ...findings,
    warnings: [...findings.warnings, ...(first && last ? [footerWarning(first, last)] : [])],
    doubts: findings.doubts.filter(
      ({ code, column }) =>
        !(first && code === 'footer') && (column === null || !Object.hasOwn(decided, column)),
    ),
    unused_columns: unusedColumns(columns, mapping, hints),
  };
}
