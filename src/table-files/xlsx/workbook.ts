import { invalidField } from '../../problem.ts';
import { invalidFile } from '../fault.ts';
import type { Archive } from './archive.ts';
import { NumberFormats, patternOf } from './number-formats.ts';
import { damaged, parseXml, readXml, tooMuch } from './xml.ts';

/** More than Excel allows. */
const MAX_STYLES = 100_000;
const MAX_FORMATS = 10_000;
const MAX_SHEETS = 10_000;
/** Names of sheets in a message. */
const MAX_NAMED = 10;

export interface SheetPart {
  name: string;
  part: string;
}

interface Workbook {
  /** The sheet that the client names, or the visible ones. */
  sheets: readonly SheetPart[];
  /** The names of all others. */
  others: readonly string[];
  /** Whether a spreadsheet has to calculate all formulas first. */
  isUncalculated: boolean;
  sharedStrings: string | undefined;
  formats: NumberFormats;
}

/** Finds the sheet by its name or number, or the first visible one. Throws 422 if there is none, or it is no workbook. */
export async function openWorkbook(archive: Archive, wanted: string | undefined): Promise<Workbook> {
  rejectOthers(archive);
  const main = (await relationsOf(archive, '')).find(({ type }) => type === 'officeDocument')?.target;
  const part = main ?? 'xl/workbook.xml';
  const { sheets, is1904, isUncalculated } = await readWorkbook(archive, part);
  const relations = await relationsOf(archive, part);
  const byId = new Map(relations.map((relation) => [relation.id, relation]));
  const listed = sheets.flatMap((sheet) => {
    const relation = byId.get(sheet.id);
    return relation?.type === 'worksheet' ? [{ ...sheet, part: relation.target }] : [];
  });
  const visible = listed.filter(({ isHidden }) => !isHidden);
  const readable = visible.length > 0 ? visible : listed;
  const chosen = wanted === undefined ? readable : [findSheet(listed, wanted)];
  if (chosen.length === 0) throw invalidFile('is a workbook without a sheet');
  const partOf = (type: string) => relations.find((relation) => relation.type === type)?.target;
  return {
    sheets: chosen,
    others: listed.filter((other) => !chosen.includes(other)).map(({ name }) => name),
    isUncalculated,
    sharedStrings: partOf('sharedStrings'),
    formats: new NumberFormats(await readPatterns(archive, partOf('styles')), is1904),
  };
}

interface ListedSheet {
  name: string;
  id: string;
  isHidden: boolean;
}

function findSheet<Sheet extends ListedSheet>(sheets: readonly Sheet[], wanted: string): Sheet {
  const key = wanted.trim().toLowerCase();
  const found = sheets.find(({ name }) => name.trim().toLowerCase() === key) ?? sheets[Number(key) - 1];
  if (found !== undefined) return found;
  const names = sheets.slice(0, MAX_NAMED).map(({ name }) => name);
  throw invalidField('sheet', `must be the name or the number of a sheet: ${names.join(', ')}`);
}

function rejectOthers({ names }: Archive): void {
  const has = (pattern: RegExp) => names.some((name) => pattern.test(name));
  if (has(/^xl\/workbook\.xml$/) || has(/^_rels\/\.rels$/)) {
    if (has(/^xl\/workbook\.bin$/))
      throw invalidFile('is a binary workbook (.xlsb); save it as .xlsx or CSV');
    return;
  }
  if (has(/\.iwa$/)) throw invalidFile('is a Numbers document; export it as .xlsx or CSV');
  if (has(/^mimetype$/)) throw invalidFile('is an OpenDocument file (.ods); save it as .xlsx or CSV');
  throw invalidFile('is a ZIP file; send the file that is in it');
}

/** The addresses that cells of a sheet link to, by reference. The sheet is read twice only if there are any. */
export async function mailLinksOf(archive: Archive, part: string): Promise<ReadonlyMap<string, string>> {
  const links = new Map<string, string>();
  const targets = new Map(
    (await relationsOf(archive, part, true)).flatMap(({ id, target }) => {
      const [, address] = /^mailto:([^?]{3,300})/i.exec(target) ?? [];
      return address === undefined ? [] : [[id, address.replaceAll(/%40/gi, '@')]];
    }),
  );
  const xml = targets.size === 0 ? undefined : await archive.read(part);
  if (xml === undefined) return links;
  const handlers = {
    open(name: string, attributes: Readonly<Record<string, string>>) {
      const id = relationIn(attributes);
      const target = name === 'hyperlink' ? targets.get(id) : undefined;
      if (target !== undefined) links.set(attributes.ref ?? '', target);
    },
    close: () => undefined,
  };
  for await (const _ of parseXml(xml, handlers, () => undefined));
  return links;
}

/** The id of a relation, whatever prefix its namespace has. */
function relationIn(attributes: Readonly<Record<string, string>>): string {
  return Object.entries(attributes).find(([key]) => /(?:^|:)id$/.test(key))?.[1] ?? '';
}

interface Relation {
  id: string;
  /** The end of its type, such as `worksheet`. */
  type: string;
  target: string;
}

/** The parts that a part refers to. */
async function relationsOf(archive: Archive, part: string, isExternal = false): Promise<Relation[]> {
  const folder = part.slice(0, part.lastIndexOf('/') + 1);
  const xml = await archive.read(`${folder}_rels/${part.slice(folder.length)}.rels`);
  const relations: Relation[] = [];
  if (xml === undefined) return relations;
  await readXml(xml, {
    open(name, { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode }) {
      if (name !== 'Relationship' || (mode === 'External') !== isExternal) return;
      if (relations.length >= MAX_SHEETS) throw tooMuch();
      const path = isExternal ? target : target.startsWith('/') ? target.slice(1) : resolve(folder, target);
      relations.push({ id, type: type.slice(type.lastIndexOf('/') + 1), target: path });
    },
    close: () => undefined,
  });
  return relations;
}

/** A path without its `..`. */
function resolve(folder: string, target: string): string {
  const parts: string[] = [];
  for (const part of `${folder}${target}`.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

async function readWorkbook(
  archive: Archive,
  part: string,
): Promise<{ sheets: ListedSheet[]; is1904: boolean; isUncalculated: boolean }> {
  const xml = await archive.read(part);
  if (xml === undefined) throw damaged();
  const sheets: ListedSheet[] = [];
  let is1904 = false;
  let isUncalculated = false;
  await readXml(xml, {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = /^(?:1|true)$/.test(attributes.date1904 ?? '');
      if (name === 'calcPr') isUncalculated = /^(?:1|true)$/.test(attributes.fullCalcOnLoad ?? '');
      if (name !== 'sheet') return;
      if (sheets.length >= MAX_SHEETS) throw tooMuch();
      const id = relationIn(attributes);
      const isHidden = (attributes.state ?? 'visible') !== 'visible';
      sheets.push({ name: attributes.name ?? '', id, isHidden });
    },
    close: () => undefined,
  });
  return { sheets, is1904, isUncalculated };
}

/** The number format of each cell style. */
async function readPatterns(archive: Archive, part: string | undefined): Promise<string[]> {
  const xml = part === undefined ? undefined : await archive.read(part);
  if (xml === undefined) return [];
  const custom = new Map<number, string>();
  const ids: number[] = [];
  let isCells = false;
  await readXml(xml, {
    open(name, { numFmtId, formatCode }) {
      const isFormat = name === 'numFmt' && formatCode !== undefined && custom.size < MAX_FORMATS;
      if (isFormat) custom.set(Number(numFmtId), formatCode);
      if (name === 'cellXfs') isCells = true;
      if (name === 'xf' && isCells && ids.length < MAX_STYLES) ids.push(Number(numFmtId ?? 0));
    },
    close(name) {
      if (name === 'cellXfs') isCells = false;
    },
  });
  return ids.map((id) => patternOf(id, custom));
}
