import type { Schema } from '../../operation.ts';
import type { Principal } from '../../principal.ts';
import type { FileSummary } from '../file/read-file.ts';
import type { Checks } from '../run/check-bodies.ts';
import type { ImportRow } from '../tables.ts';
import { checkSample } from './check-sample.ts';
import { footerDoubt, footerWarning } from './footer.ts';
import { unusedColumns, withMapping } from './mapping.ts';
import { withoutPastTimes } from './past-times.ts';
import { proposeMapping } from './propose-mapping.ts';
import { decideStyles } from './styles.ts';

type Options = Pick<
  ImportRow,
  'resource' | 'format' | 'match' | 'on_duplicate' | 'defaults' | 'values' | 'locale' | 'default_country'
> & {
  /** The columns that the client has mapped. */
  mapping: ImportRow['mapping'];
  accept_doubts: readonly Schema<'ImportDoubtCode'>[];
};

/** Proposes a mapping, and finds what a person should know before the import starts. */
export async function studyFile(
  {
    columns,
    sample,
    hasHeader,
    remarks,
    footer,
  }: Pick<FileSummary, 'columns' | 'sample' | 'hasHeader' | 'remarks' | 'footer'>,
  options: Options,
  { principal, checks }: { principal: Principal; checks: Checks },
): Promise<Pick<ImportRow, 'mapping' | 'findings'>> {
  const { resource } = options;
  const acceptsFooter = options.accept_doubts.includes('footer');
  const proposed = await proposeMapping({ resource, columns, sample, hasHeader, options });
  const { mapping: allowed, ignored } = withoutPastTimes(principal, { resource, mapping: proposed.mapping });
  const mapping = withMapping(columns, allowed, options.mapping);
  const styles = await decideStyles(columns, sample, (column) => mapping[column] !== null);
  const { isOwnExport } = proposed;
  const failing = await checkSample(
    { ...options, columns, mapping, findings: { styles, isOwnExport } },
    sample,
    checks,
  );
  const hints = new Map([
    ...proposed.unused.map(({ column, hint }) => [column, hint] as const),
    ...ignored.map((column) => [column, PAST] as const),
  ]);
  return {
    mapping,
    findings: {
      warnings: [...remarks, ...(footer && acceptsFooter ? [footerWarning(footer.row, footer.last)] : [])],
      doubts: [...proposed.doubts, ...failing, ...(footer && !acceptsFooter ? [footerDoubt(footer)] : [])],
      unused_columns: unusedColumns(columns, mapping, hints),
      styles,
      isOwnExport,
    },
  };
}

const PAST = 'To import times of the past, you need the scope admin.';
