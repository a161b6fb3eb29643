import { Problem } from '../http/problem.ts';

/** Each is an entry of an index. What has more is no form that somebody filled in. */
const MAX_EMAILS = 1_000;
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,189}$/;
/** What stands between an address and other text, and what may. */
const BETWEEN = /[\s<>()[\]{}",;:]+/;
const PERHAPS_BETWEEN = /[/?&=#|\\`']+/;
/** From the first letter or digit to the last. */
const CORE = /[\p{L}\p{N}].*[\p{L}\p{N}]/su;

/**
 * The email addresses in a payload, in lower case, so that it is found when one of them is erased: those that are a text
 * or a key, and those within one. Throws 413 when there are so many that not all could be remembered.
 */
export function emailsIn(payload: unknown): string[] {
  const found = new Set<string>();
  const waiting: unknown[] = [payload];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value === 'string') {
      for (const email of emailsInText(value.toLowerCase())) found.add(email);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) waiting.push(key, member);
    }
    if (found.size > MAX_EMAILS) throw tooMany();
  }
  return [...found];
}

/** Without a look at each place for a match of EMAIL, which would take the square of the text's length. */
function emailsInText(text: string): string[] {
  if (!text.includes('@')) return [];
  const words = text.split(BETWEEN).filter((word) => word.includes('@'));
  const parts = words.flatMap((word) => [word, ...word.split(PERHAPS_BETWEEN)]);
  const candidates = [text.trim(), ...parts, ...parts.map((part) => CORE.exec(part)?.[0] ?? '')];
  return candidates.filter((candidate) => EMAIL.test(candidate));
}

function tooMany(): Problem {
  return new Problem('body_too_large', `The body must not hold more than ${MAX_EMAILS} email addresses.`);
}
