import { isCountry } from './phone.ts';
import { keyOf } from './text.ts';

/** Whose names of countries are known. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'sv', 'da', 'ja'];
/** What people write beside what Intl knows. */
const NAMES: Readonly<Record<string, string>> = {
  usa: 'US',
  'u.s.a.': 'US',
  'u.s.': 'US',
  uk: 'GB',
  'great britain': 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  holland: 'NL',
  'the netherlands': 'NL',
  'czech republic': 'CZ',
  uae: 'AE',
};

let known: ReadonlyMap<string, string> | undefined;

/** The code of a country by its code or its name in a usual language: `DE` for `Germany`. Undefined if it is unknown. */
export function readCountry(text: string): string | undefined {
  const key = keyOf(text.slice(0, 100));
  const code = key.toUpperCase();
  if (code.length === 2 && isCountry(code)) return code;
  known ??= namesOfCountries();
  return known.get(key);
}

function namesOfCountries(): Map<string, string> {
  const names = new Map(Object.entries(NAMES));
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const codes = letters.flatMap((first) => letters.map((second) => first + second)).filter(isCountry);
  for (const language of LANGUAGES) {
    const display = new Intl.DisplayNames(language, { type: 'region' });
    for (const code of codes) {
      const key = keyOf(display.of(code) ?? code);
      if (!names.has(key)) names.set(key, code);
    }
  }
  return names;
}
