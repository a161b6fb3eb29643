import { germanicNames } from '../column-names/germanic.ts';
import { otherNames } from '../column-names/other-languages.ts';
import { productNames } from '../column-names/products.ts';
import { romanceNames } from '../column-names/romance.ts';
import { fieldsOf } from './fields.ts';

/** What a column's name says: a field, or one of the words that column-names/meanings.ts explains. */
export interface KnownName {
  meaning: string;
  /** The rows decide whether it is right. */
  isAmbiguous: boolean;
}

/** Column names in their plain form. */
const known = new Map<string, KnownName>();
for (const group of [productNames, germanicNames, romanceNames, otherNames].flatMap((groups) =>
  Object.values(groups),
)) {
  for (const [key, names] of Object.entries(group)) {
    const isAmbiguous = key.endsWith('?');
    const meaning = isAmbiguous ? key.slice(0, -1) : key;
    for (const name of names.split(' | ')) {
      const plain = plainName(name).replaceAll(/\d/g, '');
      if (!known.has(plain)) known.set(plain, { meaning, isAmbiguous });
    }
  }
}

for (const field of Object.values(fieldsOf).flatMap(Object.keys)) {
  const plain = plainName(field);
  if (!known.has(plain)) known.set(plain, { meaning: field, isAmbiguous: false });
}

/** In front of a name, these tell only whose value it is. */
const WHOSE =
  /^(?:lead|contact|person|people|client|deal|opportunity|properties|fields|billing|customer|kontakt|kunde|contato|contacto|contatto|your|ihr|ihre|votre|su|tu|uw|seu)[\s._:/-]+/iu;

/** Without case, accents, spaces and punctuation: `emailadresse` for `E-Mail-Adresse`. */
export function plainName(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll('ı', 'i')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** What the column's name says, or else the name without numbers, brackets, the words for whose value it is, or a currency. */
export function readName(column: string): KnownName | undefined {
  const withoutBrackets = column.replaceAll(/[([{（【][^()[\]{}（）【】]*[)\]}）】]/g, ' ');
  const withoutOwner = withoutBrackets.trim().replace(WHOSE, '');
  const withoutCurrency = withoutOwner.replace(/(?:\sin)?\s(?:[A-Z]{3}|\p{Sc})$/u, '');
  for (const name of [column, withoutBrackets, withoutOwner, withoutCurrency]) {
    const found = known.get(plainName(name).replaceAll(/\d/g, ''));
    if (found !== undefined) return found;
  }
  return readAlternatives(withoutOwner);
}

/** `Company / Organisation` is a company, and `Phone / Fax` is unknown. */
function readAlternatives(name: string): KnownName | undefined {
  const parts = name.split('/', 4);
  if (parts.length < 2 || parts.length > 3) return undefined;
  const [first, ...others] = parts.map((part) => known.get(plainName(part).replaceAll(/\d/g, '')));
  return others.every((other) => other?.meaning === first?.meaning) ? first : undefined;
}
