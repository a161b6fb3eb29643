import { Problem } from '../../problem.ts';

/** Each word costs an index lookup, and nobody needs an eleventh to narrow a search down. */
const MAX_WORDS = 10;

/** Throws 400 for a search with too many words. */
export function checkSearch(search = ''): void {
  if (wordsOf(search).length <= MAX_WORDS) return;
  const message = `A search can have at most ${MAX_WORDS} words. Repeated words and beginnings of other words don't count.`;
  throw new Problem('invalid_parameter', message, { details: { errors: { search: [message] } } });
}

/** The words as people count them. PostgreSQL splits some of them further, but looks up each part only once. */
function wordsOf(search: string): string[] {
  const plain = search.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const words = [...new Set(plain.match(/[\p{L}\p{N}]+/gu))];
  return words.filter((word) => !words.some((other) => other !== word && other.startsWith(word)));
}
