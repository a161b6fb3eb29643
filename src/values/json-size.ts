/** Maximum size of a report. Bytes. */
const MAX_REPORT_BYTES = 4 * 1024 * 1024;

/** Size of the value as JSON in UTF-8. Bytes. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** The leading items whose sizes add up to no more than a report may have. */
export function fittingReport<Item>(items: readonly Item[], bytesOf: (item: Item) => number): Item[] {
  let bytes = 0;
  const first = items.findIndex((item) => {
    bytes += bytesOf(item);
    return bytes > MAX_REPORT_BYTES;
  });
  return items.slice(0, first === -1 ? undefined : first);
}

/** Builds the leading rows that together stay within the limit. */
export function truncateReport<Source, Row>(
  sources: readonly Source[],
  toRow: (source: Source) => Row,
): Row[] {
  const rows: Row[] = [];
  const fitting = fittingReport(sources, (source) => {
    const row = toRow(source);
    rows.push(row);
    return jsonBytes(row) + 1;
  });
  return rows.slice(0, fitting.length);
}
