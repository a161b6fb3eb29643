import type { Column } from './column.ts';
import { share } from './shapes.ts';

/** What `expand` adds to an export: a column for each member in CSV, an object in NDJSON. */
const EXPANDED = /^(assigned_user|author_user|lead|contact|content)(?:\.(?:name|email|title|type|url))?$/;

/**
 * Whether the column only repeats what the id beside it names. `isOwnExport`: the file is an export of this service, which may
 * have left out that id.
 */
export function isExpanded(
  { name, shapes }: Column,
  names: readonly string[],
  isOwnExport: boolean,
): boolean {
  const [, what] = EXPANDED.exec(name) ?? [];
  if (what === undefined || !(isOwnExport || names.includes(`${what}_id`))) return false;
  return name !== what || shapes.filled === 0 || share(shapes, 'object') === 1;
}
