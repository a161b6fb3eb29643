import { LRUCache } from 'lru-cache';
import { currencies, decimalsOf } from '../values/money.ts';
import { isLocale } from './locale.ts';
import { collapseSpaces, keyOf, plainText } from './text.ts';

/** What people write for a currency, beside what Intl knows. In lower case. */
const NAMES: Readonly<Record<string, string>> = {
  us$: 'USD',
  'u.s.$': 'USD',
  au$: 'AUD',
  sfr: 'CHF',
  fr: 'CHF',
  rmb: 'CNY',
  euro: 'EUR',
  euros: 'EUR',
  eu: 'EUR',
  zł: 'PLN',
  kč: 'CZK',
  ft: 'HUF',
  rs: 'INR',
  tl: 'TRY',
  usdollar: 'USD',
  'us dollar': 'USD',
  'us dollars': 'USD',
  pound: 'GBP',
  pounds: 'GBP',
};

/** By locale. Clients name the locales; each takes a few milliseconds and some 20 KiB. */
const spellings = new LRUCache<string, ReadonlyMap<string, string>>({ max: 20 });

/** The ISO 4217 code of a currency's code, symbol or name, such as `eur`, `€`, `US$` and `Euro`. */
export function readCurrency(text: string, locale = 'en'): string | undefined {
  const given = collapseSpaces(plainText(text.slice(0, 100)));
  const code = given.toUpperCase();
  if (decimalsOf(code) !== undefined) return code;
  const name = given.toLowerCase().replace(/\.$/, '');
  if (Object.hasOwn(NAMES, name)) return NAMES[name];
  const key = keyOfName(given);
  return spellingsIn(locale).get(key) ?? spellingsIn('en').get(key);
}

function keyOfName(name: string): string {
  return keyOf(name).replace(/\.$/, '');
}

/** Whether this is how the currency is written where it is clear which one is meant: `$` for CAD. */
export function isSymbolOf(currency: string, mark: string): boolean {
  return symbolOf(currency, 'narrowSymbol', 'en') === mark;
}

/** Code by symbol and name in this language. A symbol of several currencies, such as kr, is that of the locale's own only. */
function spellingsIn(locale: string): ReadonlyMap<string, string> {
  const known = spellings.get(locale);
  if (known !== undefined) return known;
  if (!isLocale(locale)) return spellingsIn('en');
  const found = new Map<string, string | undefined>();
  for (const code of currencies()) {
    const names = [1, 2].map((count) => symbolOf(code, 'name', locale, count));
    for (const spelling of [symbolOf(code, 'symbol', locale), ...names]) {
      const key = keyOfName(plainText(spelling));
      found.set(key, found.has(key) && found.get(key) !== code ? undefined : code);
    }
  }
  const unique = new Map([...found].filter((entry): entry is [string, string] => entry[1] !== undefined));
  spellings.set(locale, unique);
  return unique;
}

function symbolOf(
  currency: string,
  currencyDisplay: 'symbol' | 'narrowSymbol' | 'name',
  locale: string,
  count = 2,
): string {
  const options = { style: 'currency', currency, currencyDisplay, maximumFractionDigits: 0 } as const;
  const parts = new Intl.NumberFormat(locale, options).formatToParts(count);
  return parts.find(({ type }) => type === 'currency')?.value ?? currency;
}
