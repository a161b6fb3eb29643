import { Problem } from '../../problem.ts';
import { toAsciiEmail } from '../../spellings/email.ts';

/** Maximum addresses per payload. Each takes an index entry, and no genuine form submission has more. */
const MAX_EMAILS = 1_000;
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,189}$/;
/** Characters that end an address. */
const SEPARATOR = /[\s<>()[\]{}",;:]+/;
/** Characters that may end an address or belong to it. */
const POSSIBLE_SEPARATOR = /[/?&=#|\\`']+/;
/** From the first letter or digit to the last. */
const CORE = /[\p{L}\p{N}].*[\p{L}\p{N}]/su;

/**
 * Extracts the email addresses in a payload, in lower case, so that the payload is found when a person is erased.
 * Searches strings and keys, also within longer text. Throws 413 when there are more than MAX_EMAILS.
 */
export function extractEmails(payload: unknown): string[] {
  const found = new Set<string>();
  const pending: unknown[] = [payload];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === 'string') {
      for (const email of emailsInText(value.toLowerCase())) found.add(email);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) pending.push(key, member);
    }
    if (found.size > MAX_EMAILS) {
      const message = `The body must not contain more than ${MAX_EMAILS} email addresses.`;
      throw new Problem('body_too_large', message);
    }
  }
  return [...found];
}

/** Splits the text instead of searching it for EMAIL, which would take quadratic time. */
function emailsInText(text: string): string[] {
  if (!text.includes('@')) return [];
  const words = text.split(SEPARATOR).filter((word) => word.includes('@'));
  const parts = words.flatMap((word) => [word, ...word.split(POSSIBLE_SEPARATOR)]);
  const candidates = [text.trim(), ...parts, ...parts.map((part) => CORE.exec(part)?.[0] ?? '')];
  // Leads have the ASCII form of an international domain.
  return candidates
    .filter((candidate) => EMAIL.test(candidate))
    .flatMap((email) => [email, toAsciiEmail(email) ?? email]);
}
