import { hashOfEmail, hashOfExternalId } from '../../privacy/person-hash.ts';
import { addressesIn } from '../../spellings/addresses-in.ts';
import type { StoredRow } from '../../table-files/stored-row.ts';
import { createMapRow } from '../mapping/map-row.ts';
import type { ImportOptions } from '../tables.ts';

type Options = Parameters<typeof createMapRow>[0];

/**
 * Marks the rows about erased people, found by any email address in the row or by the external id. `findErased` returns
 * which of the given hashes belong to erased people. The mapping is unknown while the file is still being received.
 */
export async function eraseRows(
  rows: readonly StoredRow[],
  options: Options | undefined,
  findErased: (hashes: string[]) => Promise<ReadonlySet<string>>,
): Promise<StoredRow[]> {
  const mapRow = options && createMapRow(options, new Map());
  const hashes = rows.map((row) => hashesIn(row, options?.resource, row.fault ? {} : mapRow?.(row).body));
  const erased = await findErased(hashes.flat());
  return rows.map((row, index) =>
    hashes[index]?.some((hash) => erased.has(hash)) ? { row: row.row, cells: [], isErased: true } : row,
  );
}

function hashesIn(
  { cells, isErased }: StoredRow,
  resource: ImportOptions['resource'] | undefined,
  body: Record<string, unknown> = {},
): string[] {
  if (isErased) return [];
  const addresses = new Set(addressesIn([cells, body.email, body.other_emails]));
  const externalIds = resource === undefined ? [] : externalIdsIn[resource](body);
  return [
    ...[...addresses].map(hashOfEmail),
    ...externalIds.flatMap(([kind, id]) => (typeof id === 'string' ? [hashOfExternalId(kind, id)] : [])),
  ];
}

/** The external ids of leads and contacts in a row's body. */
const externalIdsIn: Record<
  ImportOptions['resource'],
  (body: Record<string, unknown>) => readonly ['lead' | 'contact', unknown][]
> = {
  leads: ({ external_id }) => [['lead', external_id]],
  contacts: ({ external_id }) => [['contact', external_id]],
  notes: ({ lead_external_id, contact_external_id }) => [
    ['lead', lead_external_id],
    ['contact', contact_external_id],
  ],
  users: () => [],
  content: () => [],
};
