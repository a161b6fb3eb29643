import { Problem } from '../../problem.ts';
import { addressesIn } from '../../spellings/addresses-in.ts';

/** Maximum addresses per payload. Each takes an index entry, and no genuine form submission has more. */
const MAX_EMAILS = 1_000;
/** Maximum words with an @, which may be addresses. A text without escapes counts once, others up to three times. */
const MAX_WORDS = 4_000;

/**
 * The email addresses in a payload, in lower case, so that the payload is found when a person is erased. Throws 413 when there
 * are more than MAX_EMAILS, or more words with an @ than MAX_WORDS.
 */
export function extractEmails(payload: unknown): string[] {
  const found = new Set<string>();
  let words = 0;
  const spend = (more: number) => {
    words += more;
    if (words > MAX_WORDS) throw tooMany();
  };
  for (const email of addressesIn(payload, spend)) {
    found.add(email);
    if (found.size > MAX_EMAILS) throw tooMany();
  }
  return [...found];
}

function tooMany(): Problem {
  return new Problem('body_too_large', `The body must not contain more than ${MAX_EMAILS} email addresses.`);
}
