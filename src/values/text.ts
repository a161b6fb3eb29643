/** The first characters of a text. Never splits a surrogate pair, which neither JSON nor PostgreSQL accepts. */
export function firstCharacters(text: string, max: number): string {
  return text.length <= max
    ? text
    : Array.from(text.slice(0, 2 * max))
        .slice(0, max)
        .join('');
}

/** Replaces what PostgreSQL can't store, NUL and lone surrogates, by U+FFFD. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/** A backslash and what it escapes. JSON.stringify escapes NUL and lone surrogates, but no other surrogates. */
const ESCAPE = /\\(?:u[0-9a-f]{4}|.)/g;

/** JSON that PostgreSQL can store, also as jsonb: the same as storable() for each text and key in the value. */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (!json.includes('\\u')) return json;
  return json.replaceAll(ESCAPE, (escaped) => (/^\\u(?:0000|d)/.test(escaped) ? '\uFFFD' : escaped));
}
