/** Maximum size of a report. Bytes. */
const MAX_REPORT_BYTES = 4 * 1024 * 1024;

/** Size of the value as JSON in UTF-8. Bytes. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Whether a report of `count` objects of each size stays within the limit. */
export function fitsReport(...parts: { of: object | undefined; count: number }[]): boolean {
  const bytes = parts.map(({ of, count }) => (of === undefined ? 0 : count * (jsonBytes(of) + 1)));
  return bytes.reduce((sum, part) => sum + part, 0) <= MAX_REPORT_BYTES;
}

/** Builds the leading rows that together stay within the limit. */
export function truncateReport<Source, Row>(
  sources: readonly Source[],
  toRow: (source: Source) => Row,
): Row[] {
  const rows: Row[] = [];
  let bytes = 0;
  for (const source of sources) {
    const row = toRow(source);
    bytes += jsonBytes(row) + 1;
    if (bytes > MAX_REPORT_BYTES) break;
    rows.push(row);
  }
  return rows;
}
