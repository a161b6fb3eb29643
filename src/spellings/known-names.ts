import columnNames from './column-names.json' with { type: 'json' };

/**
 * What the name of a column, or of a form's field, says: a field, or one of these words.
 *
 * - `id`: the record's id in the other system
 * - `deal_id`: the id of a deal there, of which a person may have several
 * - `owner`: who works on the record
 * - `created`: when the record was created
 * - `country`: the country of the row, for phone numbers without a country code
 * - `opt-out`: what the person has agreed to, or has not. It is kept in `metadata`
 * - `campaign`: the campaign that the record comes from
 * - `customer`: a person or a company
 * - `other`: something else
 *
 * column-names.json has the names by product or language, and by what they mean. Those of products come first, and take
 * precedence. A meaning with `?` yields to a clearer name, and to cells that are emails or phones. Case, accents, punctuation
 * and digits don't matter.
 */
export interface KnownName {
  meaning: string;
  /** A column with a clearer name comes first, and one full of emails or phones is that. */
  isUnclear: boolean;
}

/** Column names in their plain form. */
const known = new Map<string, KnownName>();
for (const group of Object.values<Record<string, string[]>>(columnNames)) {
  for (const [key, names] of Object.entries(group)) {
    const isUnclear = key.endsWith('?');
    const meaning = isUnclear ? key.slice(0, -1) : key;
    for (const name of names) {
      const plain = plainName(name).replaceAll(/\d/g, '');
      if (!known.has(plain)) known.set(plain, { meaning, isUnclear });
    }
  }
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
