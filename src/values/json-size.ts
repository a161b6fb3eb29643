/** Maximum size of a report. Bytes. */
const MAX_REPORT_BYTES = 4 * 1024 * 1024;

/** Size of the value as JSON in UTF-8. Bytes. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Whether a report of `count` rows of this size stays within the limit. */
export function fitsReport(row: object, count: number): boolean {
  return count * (jsonBytes(row) + 1) <= MAX_REPORT_BYTES;
}

/** The leading rows that together stay within the limit. */
export function truncateReport<Row>(rows: readonly Row[]): Row[] {
  let bytes = 0;
  return rows.filter((row) => {
    bytes += jsonBytes(row) + 1;
    return bytes <= MAX_REPORT_BYTES;
  });
}
