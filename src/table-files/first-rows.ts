const MAX_ROWS = 1_000;
/** As JSON. Characters. */
const MAX_SIZE = 1024 * 1024;

/** The cells of a file's first rows, by which its columns are judged. The last cells may be missing. */
export class FirstRows {
  readonly rows: (readonly unknown[])[] = [];
  #size = 0;

  get isComplete(): boolean {
    return this.rows.length >= MAX_ROWS || this.#size >= MAX_SIZE;
  }

  /** Adds a row unless there are enough. `size` is its length as JSON. */
  add(cells: readonly unknown[], size: number): void {
    this.#size += size;
    if (!this.isComplete) this.rows.push(cells);
  }

  /** The rows that follow don't show what the columns contain. */
  close(): void {
    this.#size = MAX_SIZE;
  }
}
