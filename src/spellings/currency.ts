import { LRUCache } from 'lru-cache';
import { currencies, decimalsOf } from '../values/money.ts';
import { isLocale } from './locale.ts';
import { keyOf, plainText, trimText } from './text.ts';

/** What people write for a currency that Intl doesn't know, or that means only one in practice. */
const NAMES: Readonly<Record<string, string>> = {
  us$: 'USD',
  au$: 'AUD',
  'sfr.': 'CHF',
  sfr: 'CHF',
  'fr.': 'CHF',
  rmb: 'CNY',
  eur: 'EUR',
  euros: 'EUR',
  zł: 'PLN',
  kč: 'CZK',
  ft: 'HUF',
  rs: 'INR',
  'rs.': 'INR',
};

/** Clients name the locales. Each takes a few milliseconds and some 20 KiB. */
const spellings = new LRUCache<string, ReadonlyMap<string, string>>({ max: 20 });

/** The ISO 4217 code of a currency's code, symbol or name, such as `eur`, `€`, `US$` and `Euro`. */
export function readCurrency(text: string, locale = 'en'): string | undefined {
  const given = trimText(plainText(text));
  const code = given.toUpperCase();
  if (decimalsOf(code) !== undefined) return code;
  const key = keyOf(given);
  return NAMES[given.toLowerCase()] ?? spellingsIn(locale).get(key) ?? spellingsIn('en').get(key);
}

/** Code by symbol and name in this language. A symbol of several currencies, such as kr, is that of the locale's own only. */
function spellingsIn(given: string): ReadonlyMap<string, string> {
  const locale = isLocale(given) ? given : 'en';
  const known = spellings.get(locale);
  if (known !== undefined) return known;
  const found = new Map<string, string | undefined>();
  for (const code of currencies()) {
    const names = [1, 2].map((count) => spellingOf(code, 'name', locale, count));
    for (const spelling of [spellingOf(code, 'symbol', locale, 2), ...names]) {
      const key = keyOf(plainText(spelling));
      found.set(key, found.has(key) && found.get(key) !== code ? undefined : code);
    }
  }
  const unique = new Map([...found].filter((entry): entry is [string, string] => entry[1] !== undefined));
  spellings.set(locale, unique);
  return unique;
}

function spellingOf(code: string, currencyDisplay: 'symbol' | 'name', locale: string, count: number): string {
  const options = { style: 'currency', currency: code, currencyDisplay, maximumFractionDigits: 0 } as const;
  const parts = new Intl.NumberFormat(locale, options).formatToParts(count);
  return parts.find(({ type }) => type === 'currency')?.value ?? code;
}
