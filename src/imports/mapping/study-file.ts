import type { Principal } from '../../principal.ts';
import type { FileSummary } from '../file/read-file.ts';
import type { Checks } from '../run/check-bodies.ts';
import type { ImportRow } from '../tables.ts';
import { checkSample } from './check-sample.ts';
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
};

/** Proposes a mapping, and finds what a person should know before the import starts. */
export async function studyFile(
  { columns, sample, hasHeader, remarks }: Pick<FileSummary, 'columns' | 'sample' | 'hasHeader' | 'remarks'>,
  options: Options,
  { principal, checks }: { principal: Principal; checks: Checks },
): Promise<Pick<ImportRow, 'mapping' | 'findings'>> {
  const { resource } = options;
  const proposed = await proposeMapping({ resource, columns, sample, hasHeader, options });
  const { mapping: allowed, ignored } = withoutPastTimes(principal, { resource, mapping: proposed.mapping });
  const mapping = withMapping(columns, allowed, options.mapping);
  const styles = await decideStyles(columns, sample, (column) => mapping[column] !== null);
  const failing = await checkSample({ ...options, columns, mapping, findings: { styles } }, sample, checks);
  const hints = new Map([
    ...proposed.unused.map(({ column, hint }) => [column, hint] as const),
    ...ignored.map((column) => [column, PAST] as const),
  ]);
  return {
    mapping,
    findings: {
      warnings: [...remarks],
      doubts: [...proposed.doubts, ...failing],
      unused_columns: unusedColumns(columns, mapping, hints),
      styles,
    },
  };
}

const PAST = 'To import times of the past, you need the scope admin.';
