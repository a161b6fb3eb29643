import { schemas } from '../../generated/limits.ts';
import { collapseSpaces } from '../spellings/text.ts';
import { jsonBytes } from '../values/json-size.ts';
import { firstCharacters, storable } from '../values/text.ts';

const MAX_COLUMNS = schemas.ImportMapping.maxProperties;
/** As JSON. */
const MAX_BYTES = 256 * 1024;
const MAX_NAME = 200;

/** A file's columns. Each has a name of its own: `Phone`, `Phone (2)`, and `Column 3` if the file has none. */
export class Columns {
  readonly #names: string[] = [];
  readonly #used = new Set<string>();
  readonly #next = new Map<string, number>();
  #bytes = 2;
  #left = 0;

  get names(): readonly string[] {
    return this.#names;
  }

  /** The number of columns that were left out, since there are too many. */
  get left(): number {
    return this.#left;
  }

  /** Returns the new column's index and name. Undefined if there are too many. */
  add(given: string): { index: number; name: string; isNumbered: boolean } | undefined {
    const index = this.#names.length;
    const wanted = firstCharacters(collapseSpaces(storable(given)), MAX_NAME) || `Column ${index + 1}`;
    const isNumbered = this.#used.has(wanted);
    const name = isNumbered ? this.#numbered(wanted) : wanted;
    const bytes = jsonBytes(name) + 1;
    if (index >= MAX_COLUMNS || this.#bytes + bytes > MAX_BYTES) {
      this.#left += 1;
      return undefined;
    }
    this.#bytes += bytes;
    this.#names.push(name);
    this.#used.add(name);
    return { index, name, isNumbered };
  }

  #numbered(name: string): string {
    const start = firstCharacters(name, MAX_NAME - 8);
    let number = this.#next.get(name) ?? 2;
    while (this.#used.has(`${start} (${number})`)) number += 1;
    this.#next.set(name, number + 1);
    return `${start} (${number})`;
  }
}
