import { toText } from '../../spellings/draft.ts';
import { isBlank } from '../../spellings/text.ts';
import { isObject } from '../../values/exact-json.ts';
import { plainName } from './known-names.ts';

/** Longer cells are texts, whatever they contain. */
const MAX_CELL = 200;

const EMAIL =
  /^(?:[^@<]{0,80}<)?\s?(?:mailto:)?[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;]{2,}>?(?:\s?(?:[;,|\n]|:::).*)?$/su;
/** With a country code, an area code in parentheses, or as 415-555-0100. */
const PHONE =
  /^(?:tel:|p:)?(?:(?:\+|00)\d[\d\s().\-/]{6,22}|\(\d{2,5}\)[\s\-/.]?\d[\d\s\-/.]{4,16}|\d{3}[-.]\d{3}[-.]\d{4})(?:\s?(?:x|ext\.?|#)\s?\d{1,6})?$/iu;
/** Anything that may be a phone, if the column says so. */
const DIGITS = /^(?:tel:|p:)?[+(]?\d[\d\s().\-/]{4,22}(?:\s?(?:x|ext\.?|#)\s?\d{1,6})?/iu;
const DATE =
  /^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})|\d{1,2}[-\s.]+\p{L}{3,12}\.?[-\s,]+\d{4}|\p{L}{3,12}\.?\s\d{1,2},?\s\d{4})(?:$|[T\s,])/u;
const AMOUNT = /^[^\p{L}\d]{0,3}(?:[A-Z]{3}\s?|\p{Sc}\s?)?\d[\d.,'’\s]*(?:\s?(?:[A-Z]{3}|\p{Sc}))?$/u;
const URL_LIKE = /^(?:https?:\/\/|www\.)\S+$/i;
const YES_OR_NO = /^(?:true|false|yes|no|y|n|ja|nein|oui|non|s[ií]|nee|tak|nie|nej|evet|hay[ıi]r|0|1)$/i;
const CURRENCY = /^(?:[A-Z]{3}|[a-z]{3}|\p{Sc}|US\$|euros?)$/iu;
/** Two to five words of letters. The first and the last begin with a capital, in a script that has them. */
const PERSON =
  /^[\p{Lu}\p{Lo}][\p{L}\p{M}'’.-]*(?:,?\s+[\p{L}"“„(][\p{L}\p{M}'’.\-"”“)]*){0,3},?\s+[\p{Lu}\p{Lo}][\p{L}\p{M}'’.-]*$/u;
const SUBSCRIPTION =
  /^(?:un|non-?)?subscribed$|^(?:cleaned|pending|transactional|bounced|opted[ -]?(?:in|out)|active|inactive|enabled|disabled|archived)$/i;
const WORD = /^\p{L}[\p{L}\p{M}'’-]{1,30}$/u;
const LEGAL_FORM =
  /(?:^|[\s.,&])(?:ltd|limited|llc|llp|inc|incorporated|corp|corporation|company|co|plc|gmbh|mbh|ag|kg|ohg|gbr|ug|se|e\.?\s?k|e\.?\s?v|s\.?a|s\.?a\.?s|s\.?a\.?r\.?l|sarl|sasu|eurl|s\.?l|s\.?l\.?u|s\.?r\.?l|s\.?p\.?a|ltda|eireli|lda|b\.?v|n\.?v|v\.?o\.?f|ab|oy|oyj|as|a\/s|aps|sp\.?\s?z\s?o\.?\s?o|sp\.?\s?j|a\.?ş|şti|ltd\.?\s?şti|s\.?a\.?\s?de\s?c\.?v|pty|group|holding|gruppe)\.?$|^(?:株式会社|有限会社|合同会社)|(?:株式会社|有限会社)$/iu;

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
  digits: number;
  date: number;
  amount: number;
  url: number;
  yesOrNo: number;
  currency: number;
  person: number;
  word: number;
  company: number;
  titleOfAddress: number;
  /** The state of a subscription to a newsletter, or of an account. */
  subscription: number;
  object: number;
}

type Shape = Exclude<keyof Shapes, 'filled'>;

const patterns: readonly (readonly [Shape, RegExp])[] = [
  ['email', EMAIL],
  ['date', DATE],
  ['phone', PHONE],
  ['digits', DIGITS],
  ['amount', AMOUNT],
  ['url', URL_LIKE],
  ['yesOrNo', YES_OR_NO],
  ['currency', CURRENCY],
  ['company', LEGAL_FORM],
  ['person', PERSON],
  ['word', WORD],
  ['subscription', SUBSCRIPTION],
];

export function shapesOf(cells: readonly unknown[]): Shapes {
  const shapes: Shapes = {
    filled: 0,
    email: 0,
    phone: 0,
    digits: 0,
    date: 0,
    amount: 0,
    url: 0,
    yesOrNo: 0,
    currency: 0,
    person: 0,
    word: 0,
    company: 0,
    titleOfAddress: 0,
    subscription: 0,
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

/** Whether the name begins with a title, such as `Ms.` or `Frau`. */
export function hasTitleOfAddress(name: string | undefined): boolean {
  const [first = '', ...others] = (name ?? '').slice(0, MAX_CELL).split(/\s/);
  return others.length > 0 && titlesOfAddress.has(plainName(first));
}

/** The share of the filled cells that have this shape. 0 if none is filled. */
export function share(shapes: Shapes, shape: Shape): number {
  return shapes.filled === 0 ? 0 : shapes[shape] / shapes.filled;
}
