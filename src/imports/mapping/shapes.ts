import { toText } from '../../spellings/draft.ts';
import { plainName } from '../../spellings/known-names.ts';
import { isBlank } from '../../spellings/text.ts';
import { isObject } from '../../values/exact-json.ts';

/** Longer cells are texts, whatever they contain. */
const MAX_CELL = 200;

const EMAIL =
  /^(?:[^@<]{0,80}<)?\s?(?:mailto:)?[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;]{2,}>?(?:\s?(?:[;,|\n]|:::).*)?$/su;
/** With a country code, an area code in parentheses, or as 415-555-0100. */
const PHONE =
  /^(?:tel:|p:)?(?:(?:\+|00)\d[\d\s().\-/]{6,22}|\(\d{2,5}\)[\s\-/.]?\d[\d\s\-/.]{4,16}|\d{3}[-.]\d{3}[-.]\d{4})(?:\s?(?:x|ext\.?|#)\s?\d{1,6})?$/iu;
const DATE =
  /^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})|\d{1,2}[-\s.]+\p{L}{3,12}\.?[-\s,]+\d{4}|\p{L}{3,12}\.?\s\d{1,2},?\s\d{4})(?:$|[T\s,])/u;
/** Without digits and signs, as names are. */
const WORDS = /^\p{L}[\p{L}\p{M}\s'’.,()-]+$/u;

/** In their plain form. */
const titlesOfAddress = new Set(
  'mr mrs ms miss mx dr drs prof professor sir madam lord lady rev herr frau fraulein herrfrau divers herrdr fraudr herrprof frauprof profdr drmed dripl diploming mag ing ir m mme mlle monsieur madame mademoiselle me sr sra srta senor senora senorita don dona d da sig sigra signor signora signorina dott dottssa avv arch dhr mevr mw heer mevrouw dhrmevr pan pani hr fr fru bay bayan sayin exmo exma doutor doutora dra eng'.split(
    ' ',
  ),
);

/** What the filled cells of a column look like. A cell can have several shapes. */
export interface Shapes {
  filled: number;
  email: number;
  phone: number;
  date: number;
  words: number;
  titleOfAddress: number;
  object: number;
}

type Shape = Exclude<keyof Shapes, 'filled'>;

const patterns: readonly (readonly [Shape, RegExp])[] = [
  ['email', EMAIL],
  ['date', DATE],
  ['phone', PHONE],
  ['words', WORDS],
];

export function shapesOf(cells: readonly unknown[]): Shapes {
  const shapes: Shapes = {
    filled: 0,
    email: 0,
    phone: 0,
    date: 0,
    words: 0,
    titleOfAddress: 0,
    object: 0,
  };
  for (const cell of cells) {
    const text = textOf(cell);
    if (text === undefined) continue;
    shapes.filled += 1;
    if (isObject(cell) || text.startsWith('{"')) shapes.object += 1;
    if (text.length > MAX_CELL) continue;
    if (titlesOfAddress.has(plainName(text))) shapes.titleOfAddress += 1;
    for (const [shape, pattern] of patterns) if (pattern.test(text)) shapes[shape] += 1;
  }
  return shapes;
}

/** The text of a cell that has something to read. */
export function textOf(cell: unknown): string | undefined {
  const text = toText(cell);
  return text === undefined || isBlank(text) ? undefined : text;
}

/** The share of the filled cells that have this shape. 0 if none is filled. */
export function share(shapes: Shapes, shape: Shape): number {
  return shapes.filled === 0 ? 0 : shapes[shape] / shapes.filled;
}
