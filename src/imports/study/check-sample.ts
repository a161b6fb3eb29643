import type { Declared } from '../../metadata/declared.ts';
import { Problem, toSentence } from '../../problem.ts';
import type { Remark } from '../../table-files/fault.ts';
import { mapInSlices } from '../../values/slices.ts';
import { remark } from '../mapping/doubts.ts';
import { splitField } from '../mapping/fields.ts';
import { createMapRow, type RowWarning } from '../mapping/map-row.ts';
import { textOf } from '../mapping/shapes.ts';
import { type Checks, checkBodies, type Item } from '../run/check-bodies.ts';
import { withoutOwner } from '../run/owners.ts';

type Options = Parameters<typeof createMapRow>[0] & Parameters<typeof checkBodies>[0];

/** One or two wrong rows of a small file are no reason to ask. */
const MIN_FAILING = 3;

/** The doubts that arise if more than a tenth of the first rows would fail, or most cells of a column can't be read. */
export async function checkSample(
  options: Options,
  sample: readonly (readonly unknown[])[],
  { checks, declared }: { checks: Checks; declared: Declared },
): Promise<Remark[]> {
  const mapRow = createMapRow(options, declared);
  const mapped = await mapInSlices(sample, (cells) => mapRow({ row: 0, cells }));
  const items = await checkBodies(
    options,
    mapped.map(({ body }) => withoutOwner(body)),
    checks,
  );
  return [...unreadable(options, sample, mapped), ...failing(items)];
}

function unreadable(
  { columns, mapping }: Options,
  sample: readonly (readonly unknown[])[],
  mapped: readonly { body: Record<string, unknown>; warnings: readonly RowWarning[] }[],
): Remark[] {
  // A value may also be there with a warning, such as the first of several numbers.
  const isUnread = (body: Record<string, unknown>) => (warning: RowWarning) =>
    body[splitField(mapping[warning.column ?? ''] ?? '')[0]] === undefined;
  const unread = Map.groupBy(
    mapped.flatMap(({ body, warnings }) => warnings.filter(isUnread(body))),
    ({ column }) => column,
  );
  return columns.flatMap((column, index) => {
    const [first, ...others] = unread.get(column) ?? [];
    const filled = sample.filter((row) => textOf(row[index]) !== undefined).length;
    const count = others.length + 1;
    // Unknown statuses are a doubt of their own.
    if (first === undefined || mapping[column] === 'status' || count < MIN_FAILING || count * 2 <= filled)
      return [];
    const message = `Most cells of the column ${column} can't be read: ${first.message}`;
    return [remark('unreadable_column', column, message)];
  });
}

function failing(items: readonly Item[]): Remark[] {
  const problems = items.filter((item) => item instanceof Problem);
  if (problems.length < MIN_FAILING || problems.length * 10 <= items.length) return [];
  const reasons = new Map<string, number>();
  for (const { details } of problems) {
    for (const [field, [message = '']] of Object.entries(details.errors ?? {})) {
      const reason = toSentence(field, message);
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    }
  }
  const [most] = [...reasons].toSorted(([, a], [, b]) => b - a);
  const example = most === undefined ? '' : ` Most often: ${most[0]}`;
  return [
    remark(
      'failing_rows',
      null,
      `${problems.length} of the first ${items.length} rows would fail.${example}`,
    ),
  ];
}
