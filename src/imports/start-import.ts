import { updateRow } from '../db/resource.ts';
import type { RowValues } from '../db/row-statements.ts';
import { accepted } from '../http/responses.ts';
import { grantColumns } from '../jobs/grant.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { noCounts, toImport } from './import.ts';
import { leaveOutFooter } from './leave-out-footer.ts';
import { footerWarning } from './mapping/footer.ts';
import { checkOptions, matchFor } from './mapping/mapping.ts';
import { requireScopesOf } from './mapping/past-times.ts';
import { imports } from './queries.ts';
import { deleteResults } from './result-queries.ts';
import { lockStartable } from './startable.ts';
import type { Findings, ImportRow } from './tables.ts';

export async function startImport(
  input: Pick<Input<'startImport'>, 'path' | 'headers' | 'body'>,
  context: Pick<OperationContext, 'db' | 'principal' | 'actor'>,
): Promise<Result<'startImport'>> {
  const { db, principal } = context;
  const { body } = input;
  const before = await lockStartable(context, input, 'started');
  const { state, rows_total } = before;
  const options = {
    ...before.options,
    match: body.match === undefined ? before.options.match : matchFor(before.options.resource, body.match),
    on_duplicate: body.on_duplicate ?? before.options.on_duplicate,
    create_users: body.create_users ?? before.options.create_users,
  };
  checkOptions(options);
  requireScopesOf(principal, options);
  await deleteResults(db, before.id);
  const footer = body.accept_doubts?.includes('footer') ? await leaveOutFooter(db, before) : [];
  const row = await updateRow(db, imports, before.id, {
    ...notBegun,
    status: 'queued',
    options: { ...options, findings: withoutFooter(options.findings, footer) },
    state: { rejected_width: 0, starts: state.starts + 1 },
    dry_run: body.dry_run,
    rows_total: rows_total - footer.length,
    ...grantColumns(context),
  });
  return accepted(toImport(row));
}

/** The columns of an import that runs from its first row. */
const notBegun: RowValues<ImportRow> = {
  rows_done: 0,
  counts: noCounts,
  failures: {},
  errors_kept: 0,
  warnings_kept: 0,
  next_chunk: 0,
  attempts: 0,
  started_at: null,
  finished_at: null,
  failure_code: null,
  failure_message: null,
};

/** A warning tells of the rows that were left out. The doubt about them is answered. */
function withoutFooter(findings: Findings, left: readonly number[]): Findings {
  const [first, last] = [left[0], left.at(-1)];
  if (first === undefined || last === undefined) return findings;
  return {
    ...findings,
    warnings: [...findings.warnings, footerWarning(first, last)],
    doubts: findings.doubts.filter(({ code }) => code !== 'footer'),
  };
}
