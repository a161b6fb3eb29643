import type { Expansion } from '../bytes/expansion.ts';
import { invalidFile } from '../fault.ts';
import { Sheet } from '../sheet/sheet.ts';
import type { SheetRow } from '../sheet/sheet-row.ts';
import type { Table } from '../table.ts';
import { type Archive, openArchive } from './archive.ts';
import { readSharedStrings } from './shared-strings.ts';
import { rowsOf, type SheetContext } from './sheet-rows.ts';
import { mailLinksOf, openWorkbook, type SheetPart } from './workbook.ts';
import { damaged, parseXml, tooMuch } from './xml.ts';

/** Maximum size of a workbook's texts and of a sheet, unpacked: a million rows of ten cells take 700 MB together. */
const MAX_UNPACKED = 2 * 2 ** 30;
/** Bytes of a ZIP file, packed. */
const MAX_ARCHIVE = 24 * 2 ** 20;
const TOO_LARGE = 'is a workbook or ZIP file of more than 24 MiB; save the table as CSV, or split it';
/** Names of sheets in a remark. */
const MAX_NAMED = 10;

/** Opens a ZIP file, which a workbook is, too. It waits in memory, since its table of contents is at its end. Throws 422. */
export async function receiveArchive(file: AsyncIterable<Buffer>): Promise<Archive> {
  const archive = Buffer.allocUnsafeSlow(MAX_ARCHIVE);
  let size = 0;
  for await (const chunk of file) {
    if (size + chunk.length > MAX_ARCHIVE) throw invalidFile(TOO_LARGE);
    size += chunk.copy(archive, size);
  }
  return openArchive(archive.subarray(0, size));
}

/**
 * Reads the first of a workbook's sheets that has rows into the table, or the one that the client names. Its shared texts are in
 * memory.
 */
export async function readXlsx(
  archive: Archive,
  table: Table,
  options: { sheet?: string | undefined; expansion: Expansion },
): Promise<{ sheet: string }> {
  const workbook = await openWorkbook(archive, options.sheet);
  const { sheets, sharedStrings, formats, isUncalculated } = workbook;
  const limit = (bytes: number) => {
    if (bytes > MAX_UNPACKED) throw tooMuch();
    options.expansion.check(bytes);
  };
  const strings = await readSharedStrings(archive, sharedStrings, limit);
  let read = sheets[0] as SheetPart;
  for (const sheet of sheets) {
    read = sheet;
    await readSheet(archive, sheet, table, { strings, formats, isUncalculated }, limit);
    if (table.columns.length > 0 || table.faultsTotal > 0) break;
  }
  const others = sheets.filter((sheet) => sheet !== read).map(({ name }) => name);
  tellOthers(table, read, [...others, ...workbook.others]);
  return { sheet: read.name };
}

async function readSheet(
  archive: Archive,
  { part }: SheetPart,
  table: Table,
  context: Pick<SheetContext, 'strings' | 'formats' | 'isUncalculated'>,
  limit: (bytes: number) => void,
): Promise<void> {
  const mailLinks = await mailLinksOf(archive, part);
  const xml = await archive.read(part);
  if (xml === undefined) throw damaged();
  const formulas = new Map<number, number>();
  let merged = 0;
  const rows: SheetRow[] = [];
  const handlers = rowsOf(
    {
      ...context,
      mailLinks,
      onFormula(row, column) {
        if (!formulas.has(column)) formulas.set(column, row);
      },
      onMerged() {
        merged += 1;
      },
    },
    (row) => rows.push(row),
  );
  const target = new Sheet(table, true);
  for await (const _ of parseXml(xml, handlers, limit)) {
    for (const row of rows) await target.add(row);
    rows.length = 0;
  }
  await target.end();
  for (const [column, row] of formulas) tellFormula(table, column, row);
  if (merged > 0) {
    const message = `The sheet has merged cells (${merged} times). Only the first cell of each has the value.`;
    table.addRemark({ code: 'merged_cells', column: null, row: null, message });
  }
}

function tellFormula(table: Table, index: number, row: number): void {
  const column = table.columns[index];
  if (column === undefined) return;
  const message = `The formulas of the column ${column} have no results, for instance in row ${row}, so these cells are empty. Open the file in a spreadsheet, save it, and send it again.`;
  table.addRemark({ code: 'formulas_without_results', column, row, message });
}

function tellOthers(table: Table, sheet: SheetPart, others: readonly string[]): void {
  if (others.length === 0) return;
  const named = others.slice(0, MAX_NAMED).join(', ');
  const message = `Only the sheet ${sheet.name} was read. The workbook also has: ${named}. Name one as \`sheet\` to read it.`;
  table.addRemark({ code: 'other_sheets', column: null, row: null, message });
}

/** The text or workbook in an archive that has nothing else, as exports of large lists are. */
export function onlyFile({ names }: Archive): string | undefined {
  const [name = '', ...others] = names.filter((each) => !/(?:^__macosx\/|\/$|\.ds_store$)/.test(each));
  return others.length === 0 && /\.(?:csv|tsv|tab|txt|ndjson|jsonl|json|vcf|xlsx)$/.test(name)
    ? name
    : undefined;
}
