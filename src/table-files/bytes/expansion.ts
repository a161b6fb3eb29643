import { invalidFile } from '../fault.ts';

/** What every file may become, and what each of its bytes may. Workbooks and .gz files of real tables stay below a tenth. */
const BASE = 32 * 2 ** 20;
const FACTOR = 100;

/**
 * How much a file grows while it is read: its rows as JSON, or a workbook's XML. A workbook of 100 KiB can name a cell in the
 * last of 16,384 columns in a million rows, which would take 50 GB.
 */
export class Expansion {
  #received = 0;

  receive(bytes: number): void {
    this.#received += bytes;
  }

  /** Throws 422 if something made of the file is too large for the file. */
  check(size: number): void {
    if (size <= BASE + FACTOR * this.#received) return;
    throw invalidFile(
      `takes more than ${FACTOR} times its size when it is read; remove empty columns and rows, or save the table as CSV`,
    );
  }
}
