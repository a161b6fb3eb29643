/** `RATE_LIMIT_TOKEN_IP` for `tokenIp`. */
export function rateLimitVariable(name: string): string {
  return `RATE_LIMIT_${name.replace(/[A-Z]/, '_$&').toUpperCase()}`;
}

/** No other program has variables like these, so an unknown one is a fault. */
export function findUnknownLimits(env: NodeJS.ProcessEnv, names: readonly string[]): string[] {
  const variables = names.map(rateLimitVariable);
  return Object.keys(env)
    .filter((name) => name.startsWith('RATE_LIMIT_') && !variables.includes(name))
    .map((name) => `${name} is unknown: the valid names are ${variables.join(', ')}.`);
}

/** Shorter names are like too many others. */
const MIN_LENGTH = 6;

/**
 * Names of variables that are probably meant to be one of the known ones, as sentences. Variables of other programs stay
 * unmentioned: each word must be like the known name's.
 */
export function findMisspelt(env: NodeJS.ProcessEnv, known: ReadonlySet<string>): string[] {
  return Object.keys(env).flatMap((name) => {
    if (known.has(name) || name.length < MIN_LENGTH || name.startsWith('RATE_LIMIT_')) return [];
    const meant = [...known].find((one) => isLike(name.toUpperCase(), one));
    // Who sets the right one too means something else.
    if (meant === undefined || env[meant]) return [];
    return [`The variable ${name} is unknown, and has no effect. Did you mean ${meant}?`];
  });
}

function isLike(name: string, known: string): boolean {
  if (known.length < MIN_LENGTH) return false;
  const [words, knownWords] = [name.split('_'), known.split('_')];
  if (words.join('') === knownWords.join('')) return true;
  return (
    words.length === knownWords.length &&
    words.every((word, index) => isLikeWord(word, knownWords[index] ?? ''))
  );
}

/** `PRIVAT`, `PRIVTAE` and `PROXIES` are like `PRIVATE` and `PROXY`, but `USER` is not like `URL`. */
function isLikeWord(word: string, known: string): boolean {
  const edits = editsBetween(word, known);
  return edits <= (known.length < 5 ? 1 : 2) || (edits === 3 && word.startsWith(known.slice(0, 4)));
}

/** How many letters to add, remove, replace or swap with their neighbour. */
function editsBetween(one: string, other: string): number {
  const table = Array.from({ length: one.length + 1 }, (_row, i) =>
    Array.from({ length: other.length + 1 }, (_cell, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  const at = (i: number, j: number) => table[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= one.length; i += 1) {
    for (let j = 1; j <= other.length; j += 1) {
      const isSwapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      (table[i] as number[])[j] = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + (one[i - 1] === other[j - 1] ? 0 : 1),
        isSwapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
  }
  return at(one.length, other.length);
}
