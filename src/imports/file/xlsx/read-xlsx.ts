import type { FileHandle } from 'node:fs/promises';
import { Problem } from '../../../problem.ts';
import type { Expansion } from '../bytes/expansion.ts';
import { openTemporary } from '../bytes/temporary.ts';
import { Sheet } from '../sheet/sheet.ts';
import type { SheetRow } from '../sheet/sheet-row.ts';
import type { Table } from '../table.ts';
import { type Archive, openArchive } from './archive.ts';
import { readSharedStrings } from './shared-strings.ts';
import { rowsOf } from './sheet-rows.ts';
import { openWorkbook, type Workbook } from './workbook.ts';
import { damaged, parseXml, tooMuch } from './xml.ts';

/** Maximum size of a workbook's texts and of a sheet, unpacked: a million rows of ten cells take 700 MB together. */
const MAX_UNPACKED = 2 * 2 ** 30;
/** Names of sheets in a remark. */
const MAX_NAMED = 10;

/**
 * Opens a ZIP file, which a workbook is, too. It waits in a temporary file, since its table of contents is at its end. `read`
 * gets further temporary files from `temporary`.
 */
export async function withArchive<Result>(
  file: AsyncIterable<Buffer>,
  read: (archive: Archive, temporary: () => Promise<FileHandle>) => Promise<Result>,
): Promise<Result> {
  const files: FileHandle[] = [];
  const temporary = async () => {
    const opened = await openTemporary();
    files.push(opened);
    return opened;
  };
  try {
    const stored = await temporary();
    for await (const chunk of file) await stored.write(chunk);
    return await read(await openArchive(stored), temporary);
  } catch (cause) {
    throw isNoRoom(cause) ? new Problem('unavailable', noRoom, { cause }) : cause;
  } finally {
    await Promise.all(files.map((opened) => opened.close()));
  }
}

/** Reads the rows of a workbook's sheet into the table. Only a few rows and texts are in memory. */
export async function readXlsx(
  archive: Archive,
  table: Table,
  options: { sheet?: string | undefined; expansion: Expansion; temporary: () => Promise<FileHandle> },
): Promise<{ sheet: string }> {
  const workbook = await openWorkbook(archive, options.sheet);
  const { sheet, sharedStrings, formats } = workbook;
  const limit = (bytes: number) => {
    if (bytes > MAX_UNPACKED) throw tooMuch();
    options.expansion.check(bytes);
  };
  const strings = await readSharedStrings(archive, sharedStrings, await options.temporary(), limit);
  const xml = await archive.read(sheet.part);
  if (xml === undefined) throw damaged();
  const rows: SheetRow[] = [];
  const handlers = rowsOf(strings, formats, (row) => rows.push(row));
  const target = new Sheet(table);
  for await (const _ of parseXml(xml, handlers, limit)) {
    for (const row of rows) await target.add(row);
    rows.length = 0;
  }
  await target.end();
  tellOthers(table, workbook);
  return { sheet: sheet.name };
}

const noRoom =
  'The service has no room for workbooks at the moment. Try again later, or send the table as CSV.';

function isNoRoom(error: unknown): boolean {
  const { code } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  return code !== undefined && ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'ENOENT', 'EMFILE'].includes(code);
}

function tellOthers(table: Table, { sheet, others }: Workbook): void {
  if (others.length === 0) return;
  const named = others.slice(0, MAX_NAMED).join(', ');
  const message = `Only the sheet ${sheet.name} was read. The workbook also has: ${named}. Name one as \`sheet\` to read it.`;
  table.addRemark({ code: 'other_sheets', column: null, row: null, message });
}
