/** Makes Excel workbooks, valid and hostile ones. */
import { crc32, deflateRawSync } from 'node:zlib';

/** A ZIP file with these files. */
export function zip(files: Record<string, string | Buffer>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [path, content] of Object.entries(files)) {
    const name = Buffer.from(path);
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, name, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000'), common, rest, name]));
    parts.push(local);
    offset += local.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006');
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, entries, end]);
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

interface WorkbookParts {
  /** The XML of each sheet's rows, by the sheet's name. */
  sheets: Record<string, string>;
  /** Names of sheets that are hidden. */
  hidden?: string[];
  sharedStrings?: string;
  /** The number format of each cell style. */
  formats?: string[];
  is1904?: boolean;
  /** Files that replace others. */
  files?: Record<string, string | Buffer>;
}

export function workbook({
  sheets,
  hidden = [],
  sharedStrings,
  formats,
  is1904,
  files,
}: WorkbookParts): Buffer {
  const names = Object.keys(sheets);
  const listed = names.map((name, index) => {
    const state = hidden.includes(name) ? ' state="hidden"' : '';
    return `<sheet name="${name}" sheetId="${index + 1}"${state} r:id="rId${index + 1}"/>`;
  });
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`;
  const relations = (...all: string[]) =>
    `${XML}<Relationships xmlns="${PACKAGE}">${all.join('')}</Relationships>`;
  const custom = (formats ?? []).map(
    (pattern, index) => `<numFmt numFmtId="${200 + index}" formatCode="${escapeXml(pattern)}"/>`,
  );
  const styles = (formats ?? []).map((_, index) => `<xf numFmtId="${200 + index}"/>`);
  return zip({
    '_rels/.rels': relations(relation('rId1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `${XML}<workbook ${MAIN} xmlns:r="${RELATIONS}"><workbookPr${is1904 ? ' date1904="1"' : ''}/><sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      ...names.map((_, index) =>
        relation(`rId${index + 1}`, 'worksheet', `worksheets/sheet${index + 1}.xml`),
      ),
      relation('s1', 'sharedStrings', 'sharedStrings.xml'),
      relation('s2', 'styles', '/xl/styles.xml'),
    ),
    'xl/styles.xml': `${XML}<styleSheet ${MAIN}><numFmts>${custom.join('')}</numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs>${styles.join('')}</cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `${XML}<sst ${MAIN}>${sharedStrings ?? ''}</sst>`,
    ...Object.fromEntries(
      names.map((name, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `${XML}<worksheet ${MAIN}><sheetData>${sheets[name]}</sheetData></worksheet>`,
      ]),
    ),
    ...files,
  });
}

/** A row of cells: texts, and whatever else as XML. */
export function row(number: number, ...cells: (string | { xml: string })[]): string {
  return `<row r="${number}">${cells.map((cell) => (typeof cell === 'string' ? text(cell).xml : cell.xml)).join('')}</row>`;
}

function text(value: string): { xml: string } {
  return { xml: `<c t="inlineStr"><is><t>${escapeXml(value)}</t></is></c>` };
}

/** A number with the format of this style. */
export function number(value: number | string, style = 0): { xml: string } {
  return { xml: `<c s="${style}"><v>${value}</v></c>` };
}

function escapeXml(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
