import { invalidFile } from './fault.ts';

export type FileKind = 'csv' | 'ndjson' | 'json' | 'vcard' | 'zip';

/** The first bytes, in hexadecimal, of files that people send and can save as something else. */
const OTHERS: readonly (readonly [start: string, message: string])[] = [
  ['d0cf11e0a1b11ae1', 'is an old Excel workbook (.xls), or has a password; save it as .xlsx or CSV'],
  ['25504446', 'is a PDF; send the table as .xlsx or CSV'],
  ['425a68', 'is compressed; send it as .gz, or unpacked'],
  ['fd377a585a', 'is compressed; send it as .gz, or unpacked'],
  ['377abcaf', 'is compressed; send it as .gz, or unpacked'],
  ['52617221', 'is compressed; send it as .gz, or unpacked'],
  ['28b52ffd', 'is compressed; send it as .gz, or unpacked'],
  ['89504e47', 'is a picture; send the table as .xlsx or CSV'],
  ['ffd8ff', 'is a picture; send the table as .xlsx or CSV'],
];

/** Local file headers, and the end of an empty archive. */
const ZIP = ['504b0304', '504b0506'];

const MARKUP = /^<(?:!doctype html|html|table|\?xml|workbook)/i;

/** The kind of a file by its first bytes, and by its media type if they may be of several kinds. Throws 422 for others. */
export function kindOf(start: Buffer, text: string, mediaType: string | undefined): FileKind {
  const bytes = start.toString('hex', 0, 8);
  if (ZIP.some((signature) => bytes.startsWith(signature))) return 'zip';
  const [, message] = OTHERS.find(([signature]) => bytes.startsWith(signature)) ?? [];
  if (message !== undefined) throw invalidFile(message);
  if (isBinary(start, text)) throw invalidFile('is not a text file; send CSV, NDJSON, .xlsx or vCards');
  const beginning = text.trimStart();
  if (MARKUP.test(beginning)) throw invalidFile('is a web page or XML; save the table as .xlsx or CSV');
  if (/^(?:version: ?1\s+)?dn: /i.test(beginning))
    throw invalidFile('is an LDIF file; export it as CSV or vCards');
  if (/^BEGIN:VCARD\b/i.test(beginning)) return 'vcard';
  if (/^\[\s*(?:\{|\]\s*$)/.test(beginning)) return 'json';
  if (/^\{\s*(?:"|\}|$)/.test(beginning)) return isSpread(beginning) ? 'json' : 'ndjson';
  return mediaType === 'application/x-ndjson' ? 'ndjson' : 'csv';
}

/** Whether a tenth of the bytes and of the characters that they stand for are controls. */
function isBinary(start: Buffer, text: string): boolean {
  const controls = (some: string) => (some.match(/(?![\t\n\v\f\r])\p{Cc}/gu) ?? []).length;
  return controls(start.toString('latin1')) > start.length / 10 && controls(text) > text.length / 10;
}

/** Whether the first object takes several lines, which NDJSON doesn't allow. */
function isSpread(text: string): boolean {
  const [line = ''] = text.split(/\r?\n/, 1);
  return line.length < text.length && /[{[,:]\s*$/.test(line) && !isJson(line);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
