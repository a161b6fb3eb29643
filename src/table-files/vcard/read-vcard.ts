import type { Table } from '../table.ts';
import type { Piece } from '../text/decode-file.ts';
import { VcardColumns } from './columns.ts';
import { type Property, readProperty } from './property.ts';

/** Characters of a card, without its pictures, as of a row. */
const MAX_CARD = 262_144;
/** What a property takes besides its text. */
const PROPERTY = 50;
/** Characters of a line. Only pictures and keys are longer, which nobody needs here. */
const MAX_LINE = 65_536;

/**
 * Reads the cards of a vCard file into the table, one row each. Written here, since the library that is used most, ical.js,
 * has a licence that this project can't take, and reads neither version 2.1 nor the rest of a file after a broken card.
 */
export async function readVcard(
  pieces: AsyncIterable<Piece>,
  table: Table,
): Promise<{ foreignRow: number | undefined }> {
  const columns = new VcardColumns(table);
  let foreignRow: number | undefined;
  let row = 0;
  let card: Property[] | undefined;
  let size = 0;

  async function take(line: string): Promise<void> {
    if (/^BEGIN:VCARD\s*$/i.test(line)) {
      await end();
      row += 1;
      table.limitRow(row);
      card = [];
      size = 0;
    } else if (/^END:VCARD\s*$/i.test(line)) await end();
    else if (card !== undefined && size <= MAX_CARD) {
      const property = readProperty(line);
      size += line.length + PROPERTY;
      if (property !== undefined) card.push(property);
    }
  }

  async function end(): Promise<void> {
    if (card === undefined) return;
    const cells = columns.cellsOf(card, row);
    card = undefined;
    const isEmpty = cells.every((cell) => cell === '');
    if (size > MAX_CARD) return table.addFault({ row, cells, message: 'is longer than 256 KiB' });
    return isEmpty
      ? table.addFault({
          row,
          cells: [],
          message: 'is a card without a name, an email address and a phone number',
        })
      : table.add({ row, cells });
  }

  const lines = new Unfolded();
  for await (const { text, hasForeign } of pieces) {
    if (hasForeign) foreignRow = Math.max(row, 1);
    for (const line of lines.read(text)) await take(line);
  }
  for (const line of lines.read('\n\n')) await take(line);
  await end();
  return { foreignRow };
}

/** Joins lines that are folded: the next one begins with a space, or a soft break of quoted-printable ends it. */
class Unfolded {
  #text = '';
  #line: string | undefined;

  *read(text: string): Generator<string> {
    const lines = (this.#text + text).split('\n');
    this.#text = (lines.pop() ?? '').slice(0, MAX_LINE);
    for (const given of lines) {
      const line = given.endsWith('\r') ? given.slice(0, -1) : given;
      if (this.#line === undefined) this.#line = line.slice(0, MAX_LINE);
      else if (this.#isSoft()) this.#append(this.#line.slice(0, -1), line);
      else if (/^[ \t]/.test(line)) this.#append(this.#line, line.slice(1));
      else {
        yield this.#line;
        this.#line = line.slice(0, MAX_LINE);
      }
    }
  }

  #isSoft(): boolean {
    return this.#line?.endsWith('=') === true && /^[^:]{0,200}QUOTED-PRINTABLE/i.test(this.#line);
  }

  #append(line: string, more: string): void {
    this.#line = line.length < MAX_LINE ? line + more.slice(0, MAX_LINE) : line;
  }
}
