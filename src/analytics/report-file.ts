/** Reports as CSV. A column is named after its path in the JSON report. */
import { rowFormats } from '../http/rows/formats.ts';
import type { OperationContext, Schema } from '../operation.ts';
import { mapInSlices } from '../values/slices.ts';
import { type FileColumns, filesOf, type ReportName, type Reports } from './report-columns.ts';

interface ReportBody<Data> {
  data: Data;
  meta: Schema<'AnalyticsMeta'> & { omitted?: number };
}

type Cells = Record<string, unknown>;

const CSV = 'text/csv';

/** The report in the media type that the client asked for. */
export async function answerReport<Name extends ReportName, Body extends ReportBody<Reports[Name]>>(
  { mediaType }: OperationContext,
  name: Name,
  body: Body,
) {
  if (mediaType !== CSV) return { status: 200 as const, body };
  const { from, to, omitted } = body.meta;
  const { rows, ...columns } = filesOf[name];
  return {
    status: 200 as const,
    body: await toCsv(rows(body.data, body.meta), columns),
    mediaType: CSV as typeof CSV,
    headers: {
      'Content-Disposition': `attachment; filename="${name}_${from}_${to}.csv"`,
      ...(omitted !== undefined && { 'Omitted-Rows': String(omitted) }),
    },
  };
}

/**
 * Writes a line for each row and currency. The counts of a row stand only in its first line, and its names in all of them, so
 * that every column can be added up, also after filtering by currency.
 */
async function toCsv(rows: readonly object[], { names, counts, value = [] }: FileColumns): Promise<string> {
  const columns = [...names, ...counts, ...value];
  const format = rowFormats[CSV];
  const blank = Object.fromEntries(columns.map((column) => [column, null]));
  const lines = await mapInSlices(rows, (row) => {
    const { value = [], open_value = [], ...own } = row as Money;
    const cells = flatten(own);
    const [first = {}, ...others] = byCurrency(value, open_value);
    const name = Object.fromEntries(names.map((column) => [column, cells[column]]));
    return [{ ...cells, ...first }, ...others.map((sum) => ({ ...name, ...sum }))]
      .map((line) => format.line({ ...blank, ...line }, columns))
      .join('');
  });
  return format.head(columns) + lines.join('');
}

/** Rows may have two values, each with an item for each currency. */
type Money = Partial<Pick<Schema<'BreakdownRow'>, 'value' | 'open_value'>>;

function byCurrency(closed: readonly Schema<'ClosedValue'>[], open: readonly Schema<'OpenValue'>[]): Cells[] {
  const currencies = new Set([...closed, ...open].map(({ currency }) => currency));
  return [...currencies].sort().map((currency) => {
    const [value, open_value] = [closed, open].map((sums) => sums.find((sum) => sum.currency === currency));
    return { currency, ...flatten({ value, open_value }) };
  });
}

/** `{a: {b: 1}}` → `{'a.b': 1}` */
function flatten(row: object, prefix = ''): Cells {
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      typeof value === 'object' && value !== null
        ? Object.entries(flatten(value, `${prefix}${name}.`))
        : [[prefix + name, value]],
    ),
  );
}
