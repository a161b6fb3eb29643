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
