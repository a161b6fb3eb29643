/** Apostrophes that exports put before text that a spreadsheet would take for a formula. */
const DISARMED = /^'(?='*[=+\-@\t\r\n＝＋－＠])/;

/** A cell as it was before an export. */
export function rearm(cell: string): string {
  return cell.replace(DISARMED, '');
}
