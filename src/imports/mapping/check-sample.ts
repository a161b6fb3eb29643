import { Problem } from '../../problem.ts';
import { mapInSlices } from '../../values/slices.ts';
import type { Remark } from '../file/fault.ts';
import { type Checks, checkBodies } from '../run/check-bodies.ts';
import { withoutOwner } from '../run/owners.ts';
import { remark } from './doubts.ts';
import { createMapRow } from './map-row.ts';

type Options = Parameters<typeof createMapRow>[0] & Parameters<typeof checkBodies>[0];

/** One or two wrong rows of a small file are no reason to ask. */
const MIN_FAILING = 3;

/** The doubt that arises if more than a tenth of the first rows would fail. */
export async function checkSample(
  options: Options,
  sample: readonly (readonly unknown[])[],
  checks: Checks,
): Promise<Remark[]> {
  const mapRow = createMapRow(options);
  const bodies = await mapInSlices(sample, (cells) => withoutOwner(mapRow({ row: 0, cells }).body));
  const items = await checkBodies(options, bodies, checks);
  const problems = items.filter((item) => item instanceof Problem);
  if (problems.length < MIN_FAILING || problems.length * 10 <= items.length) return [];
  const reasons = new Map<string, number>();
  for (const { details } of problems) {
    for (const [field, [message = '']] of Object.entries(details.errors ?? {})) {
      const reason = `${field} ${message}`;
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    }
  }
  const [most] = [...reasons].toSorted(([, a], [, b]) => b - a);
  const example = most === undefined ? '' : ` Most often: ${most[0]}.`;
  return [
    remark(
      'failing_rows',
      null,
      `${problems.length} of the first ${items.length} rows would fail.${example}`,
    ),
  ];
}
