import type { Table } from '../table.ts';
import type { Piece } from '../text/decode-file.ts';
import { JsonRows, MAX_ROW, TOO_LONG } from './rows.ts';

/**
 * Reads the objects of a JSON list, or objects that take several lines each, into the table. A row's number is its position.
 * Only objects are cut out here; each is parsed by itself, so that one that can't be read fails alone.
 */
export async function readJson(
  pieces: AsyncIterable<Piece>,
  table: Table,
): Promise<{ foreignRow: number | undefined }> {
  const rows = new JsonRows(table);
  const objects = new JsonObjects();
  let foreignRow: number | undefined;
  let row = 0;
  for await (const { text, hasForeign } of pieces) {
    if (hasForeign) foreignRow = row + 1;
    for (const object of objects.read(text)) {
      row += 1;
      await (object === undefined ? rows.addFault(row, '', TOO_LONG) : rows.add(row, object));
    }
  }
  const rest = objects.rest();
  if (rest !== '') await rows.add(row + 1, rest);
  return { foreignRow };
}

/** Cuts text into its outermost objects as it arrives. Ignores what is between them. */
class JsonObjects {
  #text = '';
  #depth = 0;
  #isQuoted = false;
  #isEscaped = false;

  /** Yields the text of each object that is complete. Undefined for one that is too long. */
  *read(text: string): Generator<string | undefined> {
    let start = 0;
    for (let at = 0; at < text.length; at += 1) {
      const depth = this.#depth;
      this.#step(text[at]);
      if (depth === 0 && this.#depth === 1) start = at;
      if (depth !== 1 || this.#depth !== 0) continue;
      const object = this.#text + text.slice(start, at + 1);
      this.#text = '';
      start = at + 1;
      yield object.length > MAX_ROW ? undefined : object;
    }
    // The text of an object that is too long already is not needed.
    if (this.#depth > 0 && this.#text.length <= MAX_ROW) this.#text += text.slice(start);
  }

  /** The object that the file's end cuts off. */
  rest(): string {
    return this.#text;
  }

  #step(character: string | undefined): void {
    if (this.#isQuoted) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (character === '\\') this.#isEscaped = true;
      else if (character === '"') this.#isQuoted = false;
    } else if (character === '"') this.#isQuoted = this.#depth > 0;
    else if (character === '{') this.#depth += 1;
    else if (character === '}' && this.#depth > 0) this.#depth -= 1;
  }
}
