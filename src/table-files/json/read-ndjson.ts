import type { Table } from '../table.ts';
import type { Piece } from '../text/decode-file.ts';
import { JsonRows, MAX_ROW, TOO_LONG } from './rows.ts';

/** Reads the rows of an NDJSON file into the table. A line that can't be read fails alone. */
export async function readNdjson(
  pieces: AsyncIterable<Piece>,
  table: Table,
): Promise<{ foreignRow: number | undefined }> {
  const rows = new JsonRows(table);
  let foreignRow: number | undefined;
  let row = 0;
  let rest = '';
  let isSkipping = false;

  async function take(line: string): Promise<void> {
    const isRest = isSkipping;
    isSkipping = false;
    if (isRest) return;
    row += 1;
    table.limitRow(row);
    if (line.trim() !== '') await rows.add(row, line);
  }

  for await (const { text, hasForeign } of pieces) {
    if (hasForeign) foreignRow = row + 1;
    const lines = text.split('\n');
    lines[0] = rest + lines[0];
    rest = lines.pop() ?? '';
    for (const line of lines) await take(line);
    if (isSkipping) rest = '';
    if (rest.length <= MAX_ROW) continue;
    row += 1;
    await rows.addFault(row, rest, TOO_LONG);
    isSkipping = true;
    rest = '';
  }
  if (rest !== '') await take(rest);
  return { foreignRow };
}
