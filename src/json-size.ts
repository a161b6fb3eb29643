/** No report is longer than this, in bytes. */
const MAX_BYTES = 4 * 1024 * 1024;

/** How long the value is as JSON, in bytes of UTF-8. */
export function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Whether so many rows like this one make a report that is not too long. */
export function isReport(row: object, count: number): boolean {
  return count * (bytesOf(row) + 1) <= MAX_BYTES;
}

/** The first of the rows, as far as they make a report that is not too long. */
export function firstOf<Row>(rows: readonly Row[]): Row[] {
  let bytes = 0;
  return rows.filter((row) => {
    bytes += bytesOf(row) + 1;
    return bytes <= MAX_BYTES;
  });
}
